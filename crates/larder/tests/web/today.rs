//! The first page, as plain HTML.

use serde_json::json;

use super::support::Reader;
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn it_says_without_script_what_expires_what_is_low_and_what_to_buy() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/today").await.expect(200);
    assert!(page.text.contains("href=\"/stock#add-name\""), "{}", page.text);

    let salt = anna.add("Salt", 1, "kg").await;
    let today: jiff::civil::Date = salt["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    for (name, days) in [("Milk", 1), ("Ham", -1), ("Jam", 4)] {
        let date = (today + jiff::Span::new().days(days)).to_string();
        let food = json!({ "name": name, "quantity": 2, "unit": "pcs", "expirationDate": date });
        anna.add_item(food).await;
    }
    let rice = json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    let rice = anna.add_item(rice).await;
    anna.post("/shopping-list", json!({ "name": "Leek" })).await.expect(201);
    let page = reader.get("/today").await.expect(200);
    let part = |id: &str| page.between(&format!("id=\"{id}\""), "</section>").unwrap();
    let due = part("due");
    let at = |name: &str| due.find(name).unwrap_or_else(|| panic!("no {name} in {due}"));
    assert!(at("Ham") < at("Milk") && !due.contains("Jam"), "{due}");
    assert!(page.says("1 expired 1 expiring soon"), "{}", page.visible());
    assert!(part("low").contains(">Rice</a>") && !part("low").contains("Salt"), "{}", part("low"));
    assert!(part("to-buy").contains("Leek"), "{}", part("to-buy"));

    let path = format!("/stock/{}/shopping", id_of(&rice));
    assert!(part("low").contains(&format!("action=\"{path}\"")), "{}", part("low"));
    let page = reader.submit(&path, &[("back", "/today")]).await;
    assert!(page.says("It is on the shopping list"), "{}", page.visible());
    let entries = anna.all_pages("/shopping-list", "").await;
    assert!(entries.iter().any(|entry| entry["itemId"] == rice["id"]), "{entries:?}");
}
