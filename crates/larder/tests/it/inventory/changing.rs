//! Changing and deleting items; versions.

use serde_json::{Value, json};

use crate::it::support::{Server, amount, id_of, names};

fn path(item: &Value) -> String {
    format!("/inventory/items/{}", id_of(item))
}

#[tokio::test]
async fn a_patch_changes_what_it_names_and_counts_the_version() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Milk", "quantity": 1, "unit": "L", "notes": "organic" });
    let milk = anna.add_item(body).await;
    let patch = json!({ "version": 1, "quantity": 2.5, "lowStockThreshold": 1 });
    let changed = anna.patch(&path(&milk), patch).await.expect(200);
    assert_eq!(amount(&changed["quantity"]), "2.5");
    assert_eq!(amount(&changed["lowStockThreshold"]), "1");
    assert_eq!(changed["version"], 2);
    assert_eq!((&changed["name"], &changed["notes"]), (&json!("Milk"), &json!("organic")));
    assert_eq!(anna.item(id_of(&milk)).await, changed);
}

#[tokio::test]
async fn null_clears_and_absent_leaves() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({
        "name": "Milk", "quantity": 1, "unit": "L",
        "notes": "organic", "expirationDate": "2030-05-01",
    });
    let milk = anna.add_item(body).await;
    let patch = json!({ "version": 1, "notes": null });
    let changed = anna.patch(&path(&milk), patch).await.expect(200);
    assert_eq!(changed["notes"], Value::Null);
    assert_eq!(changed["expirationDate"], "2030-05-01");
    let refused = anna.patch(&path(&milk), json!({ "version": 2, "name": null })).await;
    refused.expect_invalid_field("name");
}

#[tokio::test]
async fn a_lot_is_opened_and_closed_again_and_its_history_says_so() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    let opened = json!({ "version": 1, "openedOn": "2026-02-28" });
    assert_eq!(anna.patch(&path(&milk), opened).await.expect(200)["openedOn"], "2026-02-28");
    let later = json!({ "version": 2, "notes": "half full" });
    assert_eq!(anna.patch(&path(&milk), later).await.expect(200)["openedOn"], "2026-02-28");
    let closed = json!({ "version": 3, "openedOn": null });
    assert_eq!(anna.patch(&path(&milk), closed).await.expect(200)["openedOn"], Value::Null);
    let history = anna.get(&format!("{}/history", path(&milk))).await.expect(200);
    let opened =
        history["items"].as_array().unwrap().iter().map(|change| &change["new"]["openedOn"]);
    let day = json!("2026-02-28");
    assert_eq!(opened.collect::<Vec<_>>(), [&Value::Null, &day, &day, &Value::Null]);
    for invalid in [json!("2026-02-30"), json!("2101-01-01"), json!("yesterday"), json!(20)] {
        let refused = anna.patch(&path(&milk), json!({ "version": 4, "openedOn": invalid })).await;
        refused.expect_invalid_field("openedOn");
    }
}

#[tokio::test]
async fn a_price_is_exact_and_null_clears_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Milk", "quantity": 1, "unit": "L", "pricePaid": 0 });
    let milk = anna.add_item(body).await;
    assert_eq!(milk["pricePaid"], 0);
    for (version, price) in
        [(1, json!(3.49)), (2, json!(0)), (3, json!(99_999_999.99)), (4, json!(null))]
    {
        let patch = json!({ "version": version, "pricePaid": price });
        let changed = anna.patch(&path(&milk), patch).await.expect(200);
        assert_eq!(changed["pricePaid"], price);
        assert_eq!(anna.item(id_of(&milk)).await, changed);
    }
    for invalid in [json!(1.005), json!(-1), json!(100_000_000), json!("3.49"), json!(true)] {
        let refused = anna.patch(&path(&milk), json!({ "version": 5, "pricePaid": invalid })).await;
        refused.expect_invalid_field("pricePaid");
        let body = json!({ "name": "Tea", "quantity": 1, "unit": "g", "pricePaid": invalid });
        anna.post("/inventory/items", body).await.expect_invalid_field("pricePaid");
    }
}

#[tokio::test]
async fn an_emptied_note_is_none() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Milk", "quantity": 1, "unit": "L", "notes": "" });
    let milk = anna.add_item(body).await;
    assert_eq!(milk["notes"], Value::Null);
    let noted = json!({ "version": 1, "notes": "organic" });
    assert_eq!(anna.patch(&path(&milk), noted).await.expect(200)["notes"], "organic");
    let emptied = json!({ "version": 2, "notes": "" });
    assert_eq!(anna.patch(&path(&milk), emptied).await.expect(200)["notes"], Value::Null);
}

#[tokio::test]
async fn a_patch_needs_a_version() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    anna.patch(&path(&milk), json!({ "quantity": 5 })).await.expect_invalid_field("version");
    assert_eq!(anna.item(id_of(&milk)).await, milk);
}

#[tokio::test]
async fn a_stale_version_shows_the_item_as_it_is() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    let patch = json!({ "version": 1, "quantity": 2 });
    let current = anna.patch(&path(&milk), patch).await.expect(200);
    let stale = anna.patch(&path(&milk), json!({ "version": 1, "quantity": 9 })).await;
    let problem = stale.expect_problem(409, "VERSION_CONFLICT");
    assert_eq!(problem["current"], current);
    assert_eq!(anna.item(id_of(&milk)).await, current);
}

#[tokio::test]
async fn of_two_patches_at_once_one_wins() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = path(&milk);
    let (first, second) = tokio::join!(
        anna.patch(&path, json!({ "version": 1, "notes": "first" })),
        anna.patch(&path, json!({ "version": 1, "notes": "second" })),
    );
    let (won, lost) = if first.status == 200 { (first, second) } else { (second, first) };
    let kept = won.expect(200);
    assert_eq!(lost.expect_problem(409, "VERSION_CONFLICT")["current"], kept);
}

#[tokio::test]
async fn renaming_frees_the_old_name() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    anna.patch(&path(&milk), json!({ "version": 1, "name": "Oat milk" })).await.expect(200);
    let second = anna.add("Milk", 2, "L").await;
    assert_ne!(id_of(&second), id_of(&milk));
    let body = json!({ "name": "oat milk", "quantity": 1, "unit": "L" });
    let merged = anna.post("/inventory/items", body).await.expect(200);
    assert_eq!(id_of(&merged["item"]), id_of(&milk));
}

#[tokio::test]
async fn changing_the_writing_of_a_name_is_no_duplicate_of_itself() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("milk", 1, "L").await;
    let patch = json!({ "version": 1, "name": "MILK" });
    assert_eq!(anna.patch(&path(&milk), patch).await.expect(200)["name"], "MILK");
}

#[tokio::test]
async fn renaming_onto_another_item_shows_it_and_merges_when_asked() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let typo = anna.add("Rcie", 500, "g").await;
    let refused = anna.patch(&path(&typo), json!({ "version": 1, "name": "Rice" })).await;
    assert_eq!(refused.expect_problem(409, "DUPLICATE_ITEM")["existing"], rice);
    assert_eq!(anna.item(id_of(&typo)).await, typo);

    let patch = json!({ "version": 1, "name": "Rice", "merge": true });
    let merged = anna.patch(&path(&typo), patch).await.expect(200);
    assert_eq!(merged["name"], "Rice");
    assert_eq!(amount(&merged["quantity"]), "1.5");
    assert_eq!(anna.items("").await, [merged]);
}

#[tokio::test]
async fn re_dating_onto_another_item_is_a_duplicate_too() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let dated =
        |date: &str| json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": date });
    let first = anna.add_item(dated("2030-01-01")).await;
    let second = anna.add_item(dated("2030-01-02")).await;
    let patch = json!({ "version": 1, "expirationDate": "2030-01-01" });
    let refused = anna.patch(&path(&second), patch).await;
    assert_eq!(refused.expect_problem(409, "DUPLICATE_ITEM")["existing"], first);
}

#[tokio::test]
async fn merging_units_that_do_not_convert_changes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let litres = anna.add("Milk", 1, "L").await;
    let boxes = anna.add("Milk box", 3, "個").await;
    let patch = json!({ "version": 1, "name": "Milk", "merge": true });
    anna.patch(&path(&boxes), patch).await.expect_problem(409, "UNIT_MISMATCH");
    assert_eq!(anna.item(id_of(&litres)).await, litres);
    assert_eq!(anna.item(id_of(&boxes)).await, boxes);
}

#[tokio::test]
async fn a_deleted_item_is_gone_and_its_name_is_free() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    let deleted = anna.delete(&path(&milk)).await;
    assert_eq!((deleted.status, deleted.text.as_str()), (204, ""));
    anna.get(&path(&milk)).await.expect_problem(404, "ITEM_NOT_FOUND");
    anna.delete(&path(&milk)).await.expect_problem(404, "ITEM_NOT_FOUND");
    anna.adjust(id_of(&milk), 1).await.expect_problem(404, "ITEM_NOT_FOUND");
    let again = anna.add("Milk", 2, "L").await;
    assert_ne!(id_of(&again), id_of(&milk));
    assert_eq!(names(&anna.items("").await), ["Milk"]);
}

#[tokio::test]
async fn a_stale_version_keeps_an_item_from_being_deleted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    anna.post(&format!("{}/adjust", path(&milk)), json!({ "delta": 1 })).await.expect(200);
    let stale = anna.delete(&format!("{}?version=1", path(&milk))).await;
    let problem = stale.expect_problem(409, "VERSION_CONFLICT");
    assert_eq!(
        (&problem["current"]["version"], &problem["current"]["quantity"]),
        (&json!(2), &json!(2))
    );
    for query in ["version=two", "version=", "vresion=2"] {
        anna.delete(&format!("{}?{query}", path(&milk))).await.expect(400);
    }
    assert_eq!(anna.item(id_of(&milk)).await["version"], 2);
    assert_eq!(anna.delete(&format!("{}?version=2", path(&milk))).await.status, 204);
}
