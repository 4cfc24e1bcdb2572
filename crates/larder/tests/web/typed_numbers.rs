//! Typed numbers, in every form: also with a decimal comma, and refused with a hint if they are
//! ambiguous.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server, encode, id_of, url_id, urn_of};

async fn home() -> (Server, Client, Reader) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/stock").await.expect(200);
    (server, anna, reader)
}

/// The number was refused, with a hint.
#[track_caller]
fn is_ambiguous(page: Page, label: &str) {
    let page = page.expect(400);
    let text = "without separators for thousands";
    assert!(page.says(label) && page.says(text), "{label}: {}", page.visible());
}

#[tokio::test]
async fn adding_to_the_stock() {
    let (_server, anna, reader) = home().await;
    for (name, typed, read) in
        [("Milk", "1,5", json!(1.5)), ("Rice", "２．２５", json!(2.25)), ("Tea", ",5", json!(0.5))]
    {
        reader.submit("/stock/add", &[("name", name), ("quantity", typed)]).await;
        let items = anna.items(&format!("search={name}")).await;
        assert_eq!(items[0]["quantity"], read, "{typed}");
    }
    let thousands = reader.post("/stock/add", &[("name", "Oil"), ("quantity", "1,500")]).await;
    is_ambiguous(thousands, "“Quantity”");
    assert_eq!(anna.items("search=Oil").await, Vec::<Value>::new());
}

#[tokio::test]
async fn editing_an_item() {
    let (_server, anna, reader) = home().await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = format!("/stock/{}", id_of(&milk));
    let category = milk["categoryId"].as_str().unwrap();
    let with = |quantity, threshold, price| {
        [
            ("version", "1"),
            ("name", "Milk"),
            ("unit", "L"),
            ("category", category),
            ("quantity", quantity),
            ("threshold", threshold),
            ("price", price),
        ]
    };
    is_ambiguous(reader.post(&path, &with("1,500", "", "")).await, "“Quantity”");
    is_ambiguous(reader.post(&path, &with("1", "1.500", "")).await, "“Warn below”");
    is_ambiguous(reader.post(&path, &with("1", "", "1.500")).await, "“Price paid”");
    let refused = reader.post(&path, &with("1", "", "-1")).await.expect(400);
    assert!(refused.text.contains("name=\"price\" value=\"-1\""), "{}", refused.text);
    reader.submit(&path, &with("1,5", "0,25", "3,49")).await;
    let milk = anna.item(id_of(&milk)).await;
    assert_eq!((&milk["quantity"], &milk["lowStockThreshold"]), (&json!(1.5), &json!(0.25)));
    assert_eq!(milk["pricePaid"], 3.49);
}

#[tokio::test]
async fn adjusting_an_item() {
    let (_server, anna, reader) = home().await;
    let milk = anna.add("Milk", 3, "L").await;
    let path = format!("/stock/{}/adjust", id_of(&milk));
    reader.submit(&path, &[("delta", "-1,5")]).await;
    assert_eq!(anna.item(id_of(&milk)).await["quantity"], 1.5);
    is_ambiguous(reader.post(&path, &[("delta", "1,500")]).await, "“Quantity”");
}

#[tokio::test]
async fn changing_several_items() {
    let (_server, anna, reader) = home().await;
    let milk = anna.add("Milk", 3, "L").await;
    let ticked = format!("{}:1", id_of(&milk));
    let with = |threshold| [("item", &*ticked), ("do", "set"), ("threshold", threshold)];
    is_ambiguous(reader.post("/stock/bulk", &with("2,000")).await, "“Warn below”");
    reader.submit("/stock/bulk", &with("2,5")).await;
    assert_eq!(anna.item(id_of(&milk)).await["lowStockThreshold"], 2.5);
}

#[tokio::test]
async fn making_a_tag() {
    let (_server, anna, reader) = home().await;
    let rice = anna.add("Rice", 3, "kg").await;
    let with = |step| [("item", id_of(&rice)), ("step", step)];
    is_ambiguous(reader.post("/tags", &with("1,000")).await, "“How much one tap takes”");
    reader.submit("/tags", &with("0,25")).await;
    assert_eq!(anna.tags().await[0]["step"], 0.25);
}

#[tokio::test]
async fn printing_labels() {
    let (_server, anna, reader) = home().await;
    let rice = anna.add("Rice", 3, "kg").await;
    let tag = anna.add_tag(&rice, json!({})).await;
    let address = url_id(&tag).to_owned();
    let sheet =
        |used: &str| format!("/tags/labels/sheet?tag={address}&format=a4-24&used={}", encode(used));
    reader.get(&sheet("３")).await.expect(200);
    let refused = reader.get(&sheet("1,5")).await.expect(400);
    assert!(refused.says("a whole number between 0 and 23"), "{}", refused.visible());
}

#[tokio::test]
async fn putting_away() {
    let (_server, anna, reader) = home().await;
    let entry = anna.post("/shopping-list", json!({ "name": "Cheese" })).await.expect(201);
    let path = format!("/shopping-list/{}/status", entry["shoppingItemId"].as_str().unwrap());
    anna.patch(&path, json!({ "status": "purchased", "version": 1 })).await.expect(200);
    let path = format!("/shopping/{}/put-away", entry["shoppingItemId"].as_str().unwrap());
    let with =
        |quantity| [("version", "2"), ("name", "Cheese"), ("unit", "kg"), ("quantity", quantity)];
    is_ambiguous(reader.post(&path, &with("1,500")).await, "“Quantity”");
    reader.post(&path, &with("0,5")).await.expect(303);
    assert_eq!(anna.items("search=Cheese").await[0]["quantity"], 0.5);
}

#[tokio::test]
async fn writing_on_the_shopping_list() {
    let (_server, anna, reader) = home().await;
    let with = |quantity| [("name", "Milk"), ("quantity", quantity)];
    for typed in ["1,5", "1.5", "1,500"] {
        let page = reader.post("/shopping/add", &with(typed)).await.expect(400);
        let text = "Please write a whole number between 1 and 99999999.";
        assert!(page.says(text), "{typed}: {}", page.visible());
    }
    reader.submit("/shopping/add", &with("１２")).await;
    let entries = anna.all_pages("/shopping-list", "").await;
    assert_eq!(entries[0]["quantity"], 12);
    let path = format!("/shopping/{}", entries[0]["shoppingItemId"].as_str().unwrap());
    let with = |quantity| [("version", "1"), ("name", "Milk"), ("quantity", quantity)];
    reader.post(&path, &with("1,5")).await.expect(400);
    reader.submit(&path, &with("３")).await;
    assert_eq!(anna.all_pages("/shopping-list", "").await[0]["quantity"], 3);
}

#[tokio::test]
async fn saying_what_a_thing_is_like() {
    let (_server, anna, reader) = home().await;
    let with = |value| {
        [
            ("name", "Shed"),
            ("kind", "shed"),
            ("attribute", "area"),
            ("shape", "number"),
            ("value", value),
        ]
    };
    is_ambiguous(reader.post("/things", &with("1,500")).await, "“area”");
    reader.submit("/things", &with("4,5")).await;
    let shed = anna.all_pages("/resources", "").await.remove(0);
    assert_eq!(shed["attributes"]["area"], 4.5);
    let path = format!("/things/{}/edit", encode(urn_of(&shed)).replace("%2D", "-"));
    let version = shed["_version"].to_string();
    let schema = shed["_schemaVersion"].to_string();
    let edit = |value| {
        [
            ("version", &*version),
            ("schema", &*schema),
            ("name", "Shed"),
            ("attribute", "area"),
            ("shape", "number"),
            ("value", value),
        ]
    };
    let refused = reader.post(&path, &edit("1,500")).await;
    // The error is at the field.
    assert!(refused.text.contains("aria-invalid=\"true\" aria-describedby=\"why\""));
    is_ambiguous(refused, "“area”");
    // More decimals than an amount has are fine, with the point that the page shows.
    for (typed, read) in [("5,25", json!(5.25)), ("5.125", json!(5.125))] {
        let now = anna.all_pages("/resources", "").await.remove(0);
        let version = now["_version"].to_string();
        let fields = edit(typed).map(|(name, value)| match name {
            "version" => (name, &*version),
            _ => (name, value),
        });
        reader.submit(&path, &fields).await;
        let now = anna.all_pages("/resources", "").await.remove(0);
        assert_eq!(now["attributes"]["area"], read, "{typed}");
    }
}
