//! The page of a product.

use serde_json::json;

use super::{add_dated, home, patch, path_of};
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn it_shows_the_lots_that_expire_first_first_and_what_is_known() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let place = anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    let later = add_dated(&anna, "Milk", 2, "L", "2031-03-05").await;
    let first = json!({
        "name": "Milk",
        "quantity": 1,
        "unit": "L",
        "expirationDate": "2031-03-01",
        "storageLocationId": place["id"],
    });
    let first = anna.add_item(first).await;
    let gone = add_dated(&anna, "Milk", 0, "L", "2031-02-01").await;
    let known = json!({ "shelfLifeDays": 7, "desiredQuantity": 4, "notes": "The blue one" });
    patch(&anna, &first, known).await;
    let page = reader.get(&path_of(&first)).await.expect(200);
    assert!(page.says("In stock 3 L"), "{}", page.visible());
    let at = |id: &str| page.text.find(&format!("href=\"/stock/{id}\"")).unwrap();
    assert!(at(id_of(&first)) < at(id_of(&later)) && at(id_of(&later)) < at(id_of(&gone)));
    assert!(page.says("1 L until 1 Mar 2031 Cellar 2 L until 5 Mar 2031 Used up (1)"));
    assert!(page.says("Keeps for 7 days Quantity to have 4 L Shopping list by itself"));
    assert!(page.says("The blue one Not known yet: place, when to warn, shop"));
    assert!(!page.text.contains("/delete\""), "{}", page.text);
}

#[tokio::test]
async fn what_was_done_to_any_lot_and_to_the_product_is_one_history() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let first = add_dated(&anna, "Milk", 3, "L", "2031-03-01").await;
    let later = add_dated(&anna, "Milk", 5, "L", "2031-03-05").await;
    anna.adjust(id_of(&first), -1).await.expect(200);
    patch(&anna, &first, json!({ "lowStockThreshold": 2 })).await;
    anna.adjust(id_of(&later), -2).await.expect(200);
    let page = reader.get(&path_of(&first)).await.expect(200);
    let told = page.visible();
    let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("{text} is not in {told}"));
    let later_lot = "Quantity: 5 L → 3 L anna · just now · lot until 5 Mar 2031";
    assert!(at(later_lot) < at("Warn below: — → 2 L"));
    assert!(at("Warn below: — → 2 L") < at("Quantity: 3 L → 2 L"));
    assert!(at("Quantity: 3 L → 2 L") < at("Added: 5 L"));
    assert_eq!(told.matches("Warn below: —").count(), 1, "lots do not repeat it");
}

#[tokio::test]
async fn a_long_history_goes_on_on_further_pages() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let first = add_dated(&anna, "Eggs", 50, "個", "2031-03-01").await;
    let later = add_dated(&anna, "Eggs", 50, "個", "2031-03-05").await;
    for n in 0..15 {
        let delta = if n % 2 == 0 { -1 } else { 1 };
        anna.adjust(id_of(&first), delta).await.expect(200);
        anna.adjust(id_of(&later), delta).await.expect(200);
    }
    let (mut path, mut found, mut told) = (path_of(&first), Vec::new(), String::new());
    loop {
        let page = reader.get(&path).await.expect(200);
        found.push(page.text.matches("id=\"change-").count());
        told += &page.visible();
        let Some(before) = page.between("?before=", "#") else { break };
        path = format!("{}?before={before}", path_of(&first));
    }
    assert_eq!(found, [20, 13]);
    for (change, times) in [("50 個 → 49 個", 16), ("49 個 → 50 個", 14)] {
        assert_eq!(told.matches(&format!("Quantity: {change}")).count(), times, "{change}");
    }
}

#[tokio::test]
async fn taps_on_two_lots_are_two_lines() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let first = add_dated(&anna, "Eggs", 50, "個", "2031-03-01").await;
    let later = add_dated(&anna, "Eggs", 50, "個", "2031-03-05").await;
    for _ in 0..30 {
        anna.adjust(id_of(&first), -1).await.expect(200);
        anna.adjust(id_of(&later), -1).await.expect(200);
    }
    let page = reader.get(&path_of(&first)).await.expect(200);
    // And what made the lots and the product known.
    assert_eq!(page.text.matches("id=\"change-").count(), 5, "{}", page.visible());
    for day in [1, 5] {
        let line =
            format!("Took 30個 (30 times) → 20個 left anna · just now · lot until {day} Mar 2031");
        assert!(page.says(&line), "{}", page.visible());
    }
}

#[tokio::test]
async fn of_very_many_lots_those_that_changed_last_are_told_and_the_page_says_so() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let oldest = add_dated(&anna, "Miso", 1, "kg", "2031-01-01").await;
    for day in 1..=20 {
        add_dated(&anna, "Miso", 1, "kg", &format!("2031-03-{day:02}")).await;
    }
    let page = reader.get(&path_of(&oldest)).await.expect(200);
    assert!(page.says("Only the 20 lots that changed last are shown."), "{}", page.visible());
    assert!(page.says("lot until 20 Mar 2031") && !page.says("lot until 1 Jan 2031"));
    anna.adjust(id_of(&oldest), -1).await.expect(200);
    let page = reader.get(&path_of(&oldest)).await.expect(200);
    assert!(page.says("Quantity: 1 kg → 0 kg anna · just now · lot until 1 Jan 2031"));
}

#[tokio::test]
async fn what_was_used_is_drawn_and_told() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let first = add_dated(&anna, "Milk", 3, "L", "2031-03-01").await;
    let page = reader.get(&path_of(&first)).await.expect(200);
    assert!(page.says("Nothing was used in the last weeks."), "{}", page.visible());
    let later = add_dated(&anna, "Milk", 900, "mL", "2031-03-05").await;
    anna.adjust(id_of(&first), -1).await.expect(200);
    anna.adjust(id_of(&later), -250).await.expect(200);
    anna.adjust(id_of(&later), 100).await.expect(200);
    let page = reader.get(&path_of(&first)).await.expect(200);
    assert!(page.says("Used in the last 12 weeks: 1.25 L"), "{}", page.visible());
    assert_eq!(page.text.matches("class=\"bar\"").count(), 12);
    let table = page.between("<tbody>", "</tbody>").unwrap();
    assert_eq!(table.matches("<td>0 L</td>").count(), 11, "{table}");
    assert!(table.ends_with("<td>1.25 L</td></tr>"), "{table}");
}

#[tokio::test]
async fn an_item_leads_to_its_product_and_says_what_is_the_products() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&format!("/stock/{}", id_of(&milk))).await.expect(200);
    assert!(page.text.contains(&format!("href=\"{}\"", path_of(&milk))), "{}", page.text);
    let shared = page.between("<fieldset id=\"of-product\">", "</fieldset>").unwrap();
    assert!(shared.contains("Applies to all lots of Milk"), "{shared}");
    for field in ["threshold", "desired", "shelf_life", "opened_life", "store"] {
        assert!(shared.contains(&format!("name=\"{field}\"")), "{field}");
    }
}
