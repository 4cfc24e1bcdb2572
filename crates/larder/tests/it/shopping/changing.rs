//! Changing and deleting entries.

use serde_json::{Value, json};

use super::{listed, path_of, put, put_text, read, shop};
use crate::it::support::{Server, names};

#[tokio::test]
async fn absent_stays_and_null_clears() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let market = shop(&anna, "Market").await;
    let body =
        json!({ "name": "Bread", "storeId": market, "quantity": 2, "notes": "sliced, please" });
    let entry = put(&anna, body).await;
    let path = path_of(&entry);

    let renamed = json!({ "version": 1, "name": "Rye bread" });
    let renamed = anna.patch(&path, renamed).await.expect(200);
    let mut expected = entry.clone();
    expected["name"] = json!("Rye bread");
    expected["version"] = json!(2);
    expected["updatedAt"] = renamed["updatedAt"].clone();
    assert_eq!(renamed, expected);

    let nulls = json!({ "version": 2, "storeId": null, "quantity": null, "notes": null });
    let cleared = anna.patch(&path, nulls).await.expect(200);
    for field in ["storeId", "quantity", "notes"] {
        assert_eq!(cleared[field], Value::Null, "{field}");
    }
    assert_eq!((&cleared["name"], &cleared["version"]), (&json!("Rye bread"), &json!(3)));

    let set = json!({ "version": 3, "storeId": market, "quantity": 5, "notes": "whole" });
    let set = anna.patch(&path, set).await.expect(200);
    assert_eq!((&set["storeId"], &set["quantity"]), (&json!(market), &json!(5)));
    assert_eq!((&set["notes"], &set["version"]), (&json!("whole"), &json!(4)));
    let emptied = anna.patch(&path, json!({ "version": 4, "notes": "" })).await.expect(200);
    assert_eq!(emptied["notes"], Value::Null, "an emptied remark is none");
    assert_eq!(read(&anna, &entry).await, emptied);
}

#[tokio::test]
async fn a_stale_version_changes_nothing_and_gets_the_entry_as_it_is() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let entry = put_text(&anna, "Bread").await;
    let path = path_of(&entry);
    let current = anna.patch(&path, json!({ "version": 1, "name": "Rye bread" })).await.expect(200);
    for version in [1, 3, u64::MAX] {
        let edit = anna.patch(&path, json!({ "version": version, "name": "Cake" })).await;
        assert_eq!(edit.expect_problem(409, "VERSION_CONFLICT")["current"], current);
        let body = json!({ "version": version, "status": "purchased" });
        let status = anna.patch(&format!("{path}/status"), body).await;
        assert_eq!(status.expect_problem(409, "VERSION_CONFLICT")["current"], current);
    }
    assert_eq!(read(&anna, &entry).await, current);
}

#[tokio::test]
async fn only_a_store_of_ones_own_can_be_named() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    let foreign = shop(&stranger, "Market").await;
    let entry = put_text(&anna, "Bread").await;
    for id in [foreign.as_str(), "f47ac10b-58cc-4372-a567-0e02b2c3d479"] {
        let answer = anna.patch(&path_of(&entry), json!({ "version": 1, "storeId": id })).await;
        answer.expect_invalid_field("storeId");
    }
    assert_eq!(read(&anna, &entry).await, entry);
}

#[tokio::test]
async fn what_is_deleted_is_gone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let bread = put_text(&anna, "Bread").await;
    put_text(&anna, "Milk").await;
    let path = path_of(&bread);
    anna.delete(&path).await.expect(204);
    anna.delete(&path).await.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
    anna.get(&path).await.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
    let edit = anna.patch(&path, json!({ "version": 1, "name": "Cake" })).await;
    edit.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
    let body = json!({ "version": 1, "status": "purchased" });
    let status = anna.patch(&format!("{path}/status"), body).await;
    status.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
    assert_eq!(names(&listed(&anna, "").await), ["Milk"]);
}
