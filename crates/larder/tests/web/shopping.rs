//! The shopping list without script.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server};

/// A reader of the list, and the same user's API client.
async fn shopping() -> (Server, Client, Reader) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    (server, anna, reader)
}

async fn listed(person: &Client) -> Vec<Value> {
    person.all_pages("/shopping-list", "").await
}

async fn write_down(person: &Client, body: Value) -> (String, u64) {
    let entry = person.post("/shopping-list", body).await.expect(201);
    (entry["shoppingItemId"].as_str().unwrap().to_owned(), entry["version"].as_u64().unwrap())
}

async fn buy(person: &Client, id: &str, version: u64) {
    let body = json!({ "status": "purchased", "version": version });
    person.patch(&format!("/shopping-list/{id}/status"), body).await.expect(200);
}

/// The part of the page below a heading, up to the next.
fn below<'a>(page: &'a Page, heading: &str) -> &'a str {
    page.between(&format!("<h2>{heading}</h2>"), "</section>").unwrap_or_default()
}

#[tokio::test]
async fn the_list_is_by_shop_with_what_can_be_bought_anywhere_last() {
    let (_server, anna, reader) = shopping().await;
    let shop = anna.post("/stores", json!({ "name": "FreshMart" })).await.expect(201);
    anna.post("/stores", json!({ "name": "Aldi" })).await.expect(201);
    write_down(&anna, json!({ "name": "Bread", "quantity": 2, "notes": "sliced" })).await;
    write_down(&anna, json!({ "name": "Leek", "storeId": shop["id"] })).await;
    let (id, version) = write_down(&anna, json!({ "name": "Soap" })).await;
    buy(&anna, &id, version).await;
    let page = reader.get("/shopping").await.expect(200);
    assert!(below(&page, "FreshMart").contains("Leek"));
    assert!(below(&page, "Any shop").contains("Bread"));
    assert!(below(&page, "Bought").contains("Soap"));
    assert!(page.says("1 of 3 bought"), "{}", page.visible());
    assert!(page.says("Bread × 2 sliced"), "{}", page.visible());
    assert!(!below(&page, "Aldi").contains("<li"), "nothing is to be bought there");
}

#[tokio::test]
async fn something_is_added_with_everything_that_is_said_about_it() {
    let (_server, anna, reader) = shopping().await;
    let shop = anna.post("/stores", json!({ "name": "FreshMart" })).await.expect(201);
    reader.get("/shopping").await.expect(200);
    let fields = [
        ("name", " Bread "),
        ("quantity", "2"),
        ("store", shop["id"].as_str().unwrap()),
        ("notes", "sliced\r\nthin"),
    ];
    let page = reader.submit("/shopping/add", &fields).await;
    assert!(below(&page, "FreshMart").contains("Bread"));
    let entries = listed(&anna).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["name"], "Bread");
    assert_eq!(entries[0]["quantity"], 2);
    assert_eq!(entries[0]["storeId"], shop["id"]);
    assert_eq!(entries[0]["notes"], "sliced\nthin");
    assert_eq!(entries[0]["itemId"], Value::Null);
}

#[tokio::test]
async fn what_is_in_stock_is_recognised_by_its_name_and_bought_where_it_usually_is() {
    let (_server, anna, reader) = shopping().await;
    let shop = anna.post("/stores", json!({ "name": "FreshMart" })).await.expect(201);
    let body =
        json!({ "name": "Milk", "quantity": 1, "unit": "L", "preferredStoreId": shop["id"] });
    let milk = anna.add_item(body).await;
    let page = reader.get("/shopping").await.expect(200);
    assert!(page.text.contains("<option value=\"Milk\""), "it is suggested");
    let page = reader.submit("/shopping/add", &[("name", "ｍｉｌｋ"), ("quantity", "3")]).await;
    assert!(page.says("ｍｉｌｋ 3 L"), "{}", page.visible());
    let entries = listed(&anna).await;
    assert_eq!(entries[0]["itemId"], milk["id"]);
    assert_eq!(entries[0]["storeId"], shop["id"]);
}

#[tokio::test]
async fn what_runs_low_is_offered_until_it_is_on_the_list() {
    let (_server, anna, reader) = shopping().await;
    let rice = json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    let rice = anna.add_item(rice).await;
    let page = reader.get("/shopping").await.expect(200);
    assert!(page.says("Rice low Add to the list"));
    let id = rice["id"].as_str().unwrap();
    let page = reader.submit("/shopping/add", &[("name", "Rice"), ("item", id)]).await;
    assert!(!page.says("Rice low"));
    assert_eq!(listed(&anna).await[0]["itemId"], rice["id"]);
}

#[tokio::test]
async fn what_is_on_the_list_already_is_told_and_added_when_one_insists() {
    let (_server, anna, reader) = shopping().await;
    let milk = anna.add("Milk", 1, "L").await;
    write_down(&anna, json!({ "name": "Milk", "itemId": milk["id"], "quantity": 2 })).await;
    write_down(&anna, json!({ "name": "Bread" })).await;
    reader.get("/shopping").await.expect(200);
    for name in ["Milk", "bread"] {
        let page = reader.post("/shopping/add", &[("name", name)]).await.expect(409);
        assert!(page.says("It is on the list already"), "{}", page.visible());
    }
    assert_eq!(listed(&anna).await.len(), 2);
    for name in ["Milk", "bread"] {
        let fields = [("name", name), ("force", "1")];
        assert_eq!(reader.post("/shopping/add", &fields).await.location(), "/shopping");
    }
    assert_eq!(listed(&anna).await.len(), 4);
}

#[tokio::test]
async fn one_press_checks_off_and_another_takes_it_back() {
    let (_server, anna, reader) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread" })).await;
    let path = format!("/shopping/{id}/check");
    reader.get("/shopping").await.expect(200);
    let page = reader.submit(&path, &[("version", "1"), ("status", "purchased")]).await;
    assert!(below(&page, "Bought").contains("Bread"));
    assert_eq!(listed(&anna).await[0]["status"], "purchased");
    let page = reader.submit(&path, &[("version", "2"), ("status", "pending")]).await;
    assert!(below(&page, "Any shop").contains("Bread"));
    assert_eq!(listed(&anna).await[0]["status"], "pending");
}

#[tokio::test]
async fn two_who_want_the_same_do_not_disturb_each_other() {
    let (_server, anna, reader) = shopping().await;
    let (id, version) = write_down(&anna, json!({ "name": "Bread" })).await;
    reader.get("/shopping").await.expect(200);
    buy(&anna, &id, version).await;
    let fields = [("version", "1"), ("status", "purchased")];
    let answer = reader.post(&format!("/shopping/{id}/check"), &fields).await;
    assert_eq!(answer.location(), "/shopping");
    assert_eq!(listed(&anna).await[0]["version"], 2);
}

#[tokio::test]
async fn an_edit_that_somebody_else_was_faster_than_shows_both_and_lets_one_choose() {
    let (_server, anna, reader) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread", "quantity": 1 })).await;
    let path = format!("/shopping/{id}");
    let page = reader.get(&path).await.expect(200);
    assert!(page.text.contains("name=\"version\" value=\"1\""));
    let theirs = json!({ "version": 1, "notes": "the dark one" });
    anna.patch(&format!("/shopping-list/{id}"), theirs).await.expect(200);
    let mine = [("name", "Bread"), ("quantity", "3"), ("store", ""), ("notes", "")];
    let with = |version| [&mine[..], &[("version", version)]].concat();
    let page = reader.post(&path, &with("1")).await.expect(409);
    assert!(page.says("Changed by somebody else"), "{}", page.visible());
    assert!(page.says("Yours Name Bread Quantity × 3"), "{}", page.visible());
    assert!(page.says("Notes the dark one"), "{}", page.visible());
    assert!(page.text.contains("name=\"version\" value=\"2\""), "mine can be kept over theirs");
    assert_eq!(listed(&anna).await[0]["quantity"], 1, "nothing has changed yet");
    assert_eq!(reader.post(&path, &with("2")).await.location(), "/shopping");
    let entry = &listed(&anna).await[0];
    assert_eq!((&entry["quantity"], &entry["notes"]), (&json!(3), &Value::Null));
}

#[tokio::test]
async fn a_check_of_what_was_changed_meanwhile_is_done() {
    let (_server, anna, reader) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread", "quantity": 1 })).await;
    reader.get("/shopping").await.expect(200);
    anna.patch(&format!("/shopping-list/{id}"), json!({ "version": 1, "quantity": 4 }))
        .await
        .expect(200);
    let path = format!("/shopping/{id}/check");
    let answer = reader.post(&path, &[("version", "1"), ("status", "purchased")]).await;
    assert_eq!(answer.location(), "/shopping");
    let entry = &listed(&anna).await[0];
    assert_eq!((&entry["status"], &entry["quantity"]), (&json!("purchased"), &json!(4)));
}

#[tokio::test]
async fn edits_of_different_fields_are_both_kept_and_only_the_same_field_is_asked() {
    let (_server, anna, reader) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread", "quantity": 1 })).await;
    let path = format!("/shopping/{id}");
    let base = reader.get(&path).await.expect(200).hidden("base");
    let theirs = json!({ "version": 1, "notes": "the dark one" });
    anna.patch(&format!("/shopping-list/{id}"), theirs).await.expect(200);
    buy(&anna, &id, 2).await;
    let mine = |quantity, notes| {
        [
            ("version", "1"),
            ("base", &*base),
            ("name", "Bread"),
            ("quantity", quantity),
            ("notes", notes),
        ]
    };
    assert_eq!(reader.post(&path, &mine("3", "")).await.location(), "/shopping");
    let entry = &listed(&anna).await[0];
    assert_eq!(
        (&entry["quantity"], &entry["notes"], &entry["status"]),
        (&json!(3), &json!("the dark one"), &json!("purchased"))
    );
    let page = reader.post(&path, &mine("1", "sliced")).await.expect(409);
    assert!(page.says("Yours Name Bread Quantity × 3"), "not put back: {}", page.visible());
    assert!(page.says("Notes sliced") && page.says("Notes the dark one"), "{}", page.visible());
    let names = ["version", "base", "name", "quantity", "store", "notes"];
    let held: Vec<_> = names.iter().map(|name| (*name, page.hidden(name))).collect();
    let held: Vec<_> = held.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(reader.post(&path, &held).await.location(), "/shopping");
    let entry = &listed(&anna).await[0];
    assert_eq!((&entry["quantity"], &entry["notes"]), (&json!(3), &json!("sliced")));
}

#[tokio::test]
async fn what_restocks_an_item_is_put_away_by_one_press_and_once() {
    let (_server, anna, reader) = shopping().await;
    let milk = anna.add("Milk", 1, "L").await;
    let body = json!({ "name": "Milk", "itemId": milk["id"], "quantity": 3 });
    let (id, version) = write_down(&anna, body).await;
    buy(&anna, &id, version).await;
    reader.get("/shopping").await.expect(200);
    let path = format!("/shopping/{id}/put-away");
    let presses = [("version", "2")];
    let (one, other) = tokio::join!(reader.post(&path, &presses), reader.post(&path, &presses));
    let mut notices = [one.location(), other.location()];
    notices.sort();
    assert_eq!(notices, ["/shopping?notice=shopping-gone", "/shopping?notice=shopping-put-away"]);
    assert_eq!(anna.item(milk["id"].as_str().unwrap()).await["quantity"], 4);
    assert_eq!(listed(&anna).await, Vec::<Value>::new());
}

#[tokio::test]
async fn what_was_changed_or_unchecked_meanwhile_is_not_put_away() {
    let (_server, anna, reader) = shopping().await;
    let milk = anna.add("Milk", 1, "L").await;
    let (id, version) = write_down(&anna, json!({ "name": "Milk", "itemId": milk["id"] })).await;
    buy(&anna, &id, version).await;
    let unchecked = json!({ "status": "pending", "version": 2 });
    anna.patch(&format!("/shopping-list/{id}/status"), unchecked).await.expect(200);
    reader.get("/shopping").await.expect(200);
    let path = format!("/shopping/{id}/put-away");
    for version in ["2", "3"] {
        reader.post(&path, &[("version", version)]).await.expect(409);
    }
    assert_eq!(anna.item(milk["id"].as_str().unwrap()).await["quantity"], 1);
    assert_eq!(listed(&anna).await.len(), 1);
}

#[tokio::test]
async fn what_does_not_fit_into_stock_stays_on_the_list_as_bought() {
    let (_server, anna, reader) = shopping().await;
    let sand = anna.add("Sand", 99_999_999, "kg").await;
    let body = json!({ "name": "Sand", "itemId": sand["id"], "quantity": 7, "notes": "fine" });
    let (id, version) = write_down(&anna, body).await;
    buy(&anna, &id, version).await;
    reader.get("/shopping").await.expect(200);
    reader.post(&format!("/shopping/{id}/put-away"), &[("version", "2")]).await.expect(422);
    let entries = listed(&anna).await;
    assert_eq!(entries.len(), 1);
    for (name, value) in [
        ("status", json!("purchased")),
        ("quantity", json!(7)),
        ("notes", json!("fine")),
        ("itemId", sand["id"].clone()),
    ] {
        assert_eq!(entries[0][name], value, "{name}");
    }
}

#[tokio::test]
async fn free_text_is_put_away_through_a_small_form_and_becomes_more_of_the_same() {
    let (_server, anna, reader) = shopping().await;
    let bread = anna.add("Bread", 1, "loaf").await;
    let body = json!({ "name": "Bread", "quantity": 2 });
    let (id, version) = write_down(&anna, body).await;
    buy(&anna, &id, version).await;
    let path = format!("/shopping/{id}/put-away");
    let page = reader.get(&path).await.expect(200);
    assert!(page.text.contains("value=\"loaf\""), "the unit of what is there is filled in");
    let fields = [("version", "2"), ("name", "Bread"), ("quantity", "2"), ("unit", "loaf")];
    let page = reader.submit(&path, &fields).await;
    assert!(page.says("It is in stock now."), "{}", page.visible());
    assert_eq!(anna.item(bread["id"].as_str().unwrap()).await["quantity"], 3);
    assert_eq!(listed(&anna).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_form_to_put_away_that_is_not_right_changes_nothing() {
    let (_server, anna, reader) = shopping().await;
    let (id, version) = write_down(&anna, json!({ "name": "Bread" })).await;
    buy(&anna, &id, version).await;
    let path = format!("/shopping/{id}/put-away");
    reader.get(&path).await.expect(200);
    let with = |quantity, unit, day| {
        [
            ("version", "2"),
            ("name", "Bread"),
            ("quantity", quantity),
            ("unit", unit),
            ("expiration", day),
        ]
    };
    for (fields, field) in [
        (with("many", "loaf", ""), "Quantity"),
        (with("1", "", ""), "Unit"),
        (with("1", "loaf", "2026-02-30"), "Good until"),
    ] {
        let page = reader.post(&path, &fields).await.expect(400);
        assert!(page.says(&format!("Please check “{field}”")), "{}", page.visible());
    }
    // Free text has no place in stock of its own.
    reader.post(&path, &[("version", "2")]).await.expect(400);
    assert_eq!(anna.items("").await, Vec::<Value>::new());
    assert_eq!(listed(&anna).await[0]["status"], "purchased");
}

#[tokio::test]
async fn bad_input_is_named_and_changes_nothing() {
    let (_server, anna, reader) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread" })).await;
    reader.get("/shopping").await.expect(200);
    let long = "n".repeat(501);
    for (fields, field) in [
        ([("name", " "), ("quantity", "")], "Name"),
        ([("name", "Milk"), ("quantity", "1.5")], "Quantity"),
        ([("name", "Milk"), ("store", "nowhere")], "Shop"),
        ([("name", "Milk"), ("notes", &long)], "Notes"),
    ] {
        let says = format!("Please check “{field}”");
        let page = reader.post("/shopping/add", &fields).await.expect(400);
        assert!(page.says(&says), "{}", page.visible());
        let edited = [&fields[..], &[("version", "1")]].concat();
        let page = reader.post(&format!("/shopping/{id}"), &edited).await.expect(400);
        assert!(page.says(&says), "{}", page.visible());
    }
    let check = format!("/shopping/{id}/check");
    reader.post(&check, &[("version", "1"), ("status", "stolen")]).await.expect(400);
    reader.post(&check, &[("version", "one"), ("status", "purchased")]).await.expect(400);
    for path in ["/shopping/x", "/shopping/00000000-0000-4000-8000-000000000000"] {
        reader.get(path).await.expect(404);
        reader.post(&format!("{path}/delete"), &[]).await.expect(404);
    }
    let entries = listed(&anna).await;
    assert_eq!((entries.len(), &entries[0]["version"]), (1, &json!(1)));
}

#[tokio::test]
async fn an_entry_is_deleted() {
    let (_server, anna, reader) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread" })).await;
    reader.get(&format!("/shopping/{id}")).await.expect(200);
    let page = reader.submit(&format!("/shopping/{id}/delete"), &[]).await;
    assert!(page.says("It is off the list.") && page.says("Nothing to buy"), "{}", page.visible());
    assert_eq!(listed(&anna).await, Vec::<Value>::new());
}

#[tokio::test]
async fn on_paper_there_is_only_what_is_to_be_bought() {
    let (_server, anna, reader) = shopping().await;
    let shop = anna.post("/stores", json!({ "name": "FreshMart" })).await.expect(201);
    write_down(&anna, json!({ "name": "Leek", "storeId": shop["id"], "quantity": 2 })).await;
    let (id, version) = write_down(&anna, json!({ "name": "Soap" })).await;
    buy(&anna, &id, version).await;
    let page = reader.get("/shopping/print").await.expect(200);
    assert!(page.says("FreshMart Leek × 2"), "{}", page.visible());
    assert!(!page.says("Soap") && !page.says("unassigned"), "{}", page.visible());
}

#[tokio::test]
async fn the_page_for_no_signal_is_nobodys() {
    let (_server, _anna, reader) = shopping().await;
    let page = reader.get("/offline").await.expect(200);
    assert!(page.says("No signal") && page.text.contains("href=\"/shopping\""));
    assert!(!page.text.contains("anna"), "{}", page.text);
}

#[tokio::test]
async fn another_household_sees_and_changes_nothing() {
    let (server, anna, _) = shopping().await;
    let (id, _) = write_down(&anna, json!({ "name": "Bread" })).await;
    let zoe = server.with_household("zoe").await;
    let reader = Reader::of(&server, &zoe).await;
    let page = reader.get("/shopping").await.expect(200);
    assert!(!page.says("Bread"));
    reader.get(&format!("/shopping/{id}")).await.expect(404);
    let fields = [("version", "1"), ("status", "purchased")];
    reader.post(&format!("/shopping/{id}/check"), &fields).await.expect(404);
    assert_eq!(listed(&anna).await[0]["version"], 1);
}
