//! Products, on a phone.

use serde_json::json;

use crate::browser::support::Browser;
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn what_goes_off_first_is_used_with_one_press() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    let later =
        json!({ "name": "Milk", "quantity": 2, "unit": "L", "expirationDate": "2031-03-05" });
    let later = anna.add_item(later).await;
    let first =
        json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": "2031-03-01" });
    let first = anna.add_item(first).await;
    phone.go("/stock").await;
    phone.press("Filter and sort").await;
    phone.press("Products").await;
    phone.press("Milk").await;
    phone.says("#total .sum", "3 L").await;
    phone.press("Use").await;
    phone.sees("Used.").await;
    phone.says("#total .sum", "2 L").await;
    phone.says("#use-chart", "Used in the last 12 weeks: 1 L").await;
    assert_eq!(anna.item(id_of(&first)).await["quantity"], 0);
    // What somebody else takes is seen at once.
    anna.adjust(id_of(&later), -1).await.expect(200);
    phone.says("#total .sum", "1 L").await;
    phone.fill("#use-quantity", "many").await;
    phone.expect_complaint("status of 400");
    phone.press("Use").await;
    phone.says("#why", "Please write a number").await;
}

#[tokio::test]
async fn a_name_that_is_taken_joins_two_products_after_a_question() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    let milk = anna.add("Milk", 1, "L").await;
    let other =
        json!({ "name": "Cow's milk", "quantity": 2, "unit": "L", "expirationDate": "2031-03-01" });
    let other = anna.add_item(other).await;
    let path =
        |item: &serde_json::Value| format!("/products/{}", item["productId"].as_str().unwrap());
    phone.go(&format!("{}?edit=1#edit", path(&milk))).await;
    phone.fill("#name", "Cow's milk").await;
    phone.expect_complaint("status of 409");
    phone.press("Save").await;
    phone.sees("There is already Cow's milk (2 L).").await;
    assert_eq!(anna.get(&path(&milk)).await.expect(200)["name"], "Milk");
    phone.press("Join").await;
    phone.sees("The two are one now.").await;
    phone.says("h1", "Cow's milk").await;
    phone.says("#total .sum", "3 L").await;
    assert_eq!(phone.path().await, path(&other));
    assert_eq!(anna.item(id_of(&milk)).await["name"], "Cow's milk");
}
