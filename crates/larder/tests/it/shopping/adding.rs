//! Putting something on the list.

use serde_json::{Value, json};

use super::{listed, path_of, put, put_text, read, shop};
use crate::it::support::{Server, id_of, names};

#[tokio::test]
async fn an_entry_has_exactly_the_attributes_of_the_design() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let home = anna.get("/households/current").await.expect(200);
    let rice = anna.add("Rice", 1, "kg").await;
    let corner = shop(&anna, "Corner shop").await;
    let body = json!({
        "itemId": rice["id"], "name": "Brown rice", "storeId": corner, "quantity": 2,
        "notes": "the big bag\nif there is one",
    });
    let entry = put(&anna, body).await;
    assert_eq!(
        entry,
        json!({
            "shoppingItemId": entry["shoppingItemId"], "familyId": home["id"],
            "itemId": rice["id"], "name": "Brown rice", "storeId": corner, "status": "pending",
            "quantity": 2, "notes": "the big bag\nif there is one", "version": 1, "ttl": null,
            "addedBy": anna.user_id, "entityType": "ShoppingListItem",
            "createdAt": entry["createdAt"], "updatedAt": entry["createdAt"],
        })
    );
    let id = entry["shoppingItemId"].as_str().unwrap();
    assert_eq!((id.len(), &id[14..15]), (36, "4"), "a UUID v4: {id}");
    assert_eq!(read(&anna, &entry).await, entry);
    assert_eq!(listed(&anna, "").await, [entry]);
}

#[tokio::test]
async fn free_text_has_nulls_for_what_nobody_said() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let nulls = json!({
        "name": "Birthday cake", "itemId": null, "storeId": null, "quantity": null, "notes": null,
    });
    for body in [json!({ "name": "Birthday cake" }), nulls] {
        let entry = put(&anna, body).await;
        for field in ["itemId", "storeId", "quantity", "notes", "ttl"] {
            assert_eq!(entry[field], Value::Null, "{field}");
            assert!(entry.as_object().unwrap().contains_key(field), "{field} is there");
        }
    }
    let emptied = put(&anna, json!({ "name": "Candles", "notes": "" })).await;
    assert_eq!(emptied["notes"], Value::Null, "an empty remark is none");
}

#[tokio::test]
async fn everybody_at_home_shares_one_list_and_nobody_else() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let stranger = server.with_household("stranger").await;
    let bread = put_text(&anna, "Bread").await;
    let milk = put_text(&ben, "Milk").await;
    assert_eq!(milk["addedBy"], ben.user_id);
    assert_eq!(names(&listed(&ben, "").await), ["Bread", "Milk"]);
    assert_eq!(listed(&stranger, "").await, Vec::<Value>::new());
    stranger.get(&path_of(&bread)).await.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
}

#[tokio::test]
async fn the_list_needs_a_household() {
    let server = Server::start().await;
    let loner = server.register("loner").await;
    assert_eq!(listed(&loner, "").await, Vec::<Value>::new());
    let added = loner.post("/shopping-list", json!({ "name": "Milk" })).await;
    added.expect_problem(409, "HOUSEHOLD_REQUIRED");
    let cleared = loner.delete("/shopping-list?status=purchased").await;
    cleared.expect_problem(409, "HOUSEHOLD_REQUIRED");
    let unknown = "/shopping-list/f47ac10b-58cc-4372-a567-0e02b2c3d479";
    loner.get(unknown).await.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
    loner.delete(unknown).await.expect_problem(404, "SHOPPING_ITEM_NOT_FOUND");
}

#[tokio::test]
async fn a_store_or_item_that_is_not_there_or_not_ours_is_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    let foreign_item = stranger.add("Rice", 1, "kg").await;
    let foreign_store = shop(&stranger, "Shop").await;
    let unknown = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    for (field, id, sentence) in [
        ("itemId", unknown, "must be an item of the household's inventory"),
        ("itemId", id_of(&foreign_item), "must be an item of the household's inventory"),
        ("storeId", unknown, "must be a store of the household"),
        ("storeId", &foreign_store, "must be a store of the household"),
    ] {
        let answer = anna.post("/shopping-list", json!({ "name": "Rice", field: id })).await;
        let problem = answer.expect_problem(400, "INVALID_FIELDS");
        assert_eq!(problem["errors"], json!([{ "field": field, "message": sentence }]));
    }
    assert_eq!(listed(&anna, "").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_repeated_post_with_a_key_adds_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let body = json!({ "name": "Rice", "itemId": rice["id"] });
    let first = anna.post_once("/shopping-list", "key", &body).await;
    let entry = first.expect(201);
    anna.delete(&path_of(&entry)).await.expect(204);
    let again = anna.post_once("/shopping-list", "key", &body).await;
    assert_eq!((again.status, again.text), (201, first.text), "as it was at that time");
    assert_eq!(listed(&anna, "").await, Vec::<Value>::new());
    let other = anna.post_once("/shopping-list", "key", &json!({ "name": "Salt" })).await;
    other.expect_problem(409, "IDEMPOTENCY_MISMATCH");
}
