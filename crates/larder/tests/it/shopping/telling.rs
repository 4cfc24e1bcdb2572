//! Live events of the list.

use serde_json::{Value, json};

use super::{path_of, put, put_text, set_status};
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn every_step_of_an_entry_is_told_to_the_household() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = anna.add("Rice", 1, "kg").await;
    let mut stream = ben.events(None).await;

    let entry = put(&anna, json!({ "name": "Brown rice", "itemId": rice["id"] })).await;
    let edit = json!({ "version": 1, "quantity": 2 });
    let edited = anna.patch(&path_of(&entry), edit).await.expect(200);
    let bought = set_status(&anna, &edited, "purchased").await;
    set_status(&ben, &bought, "pending").await;
    anna.delete(&path_of(&entry)).await.expect(204);

    let id = &entry["shoppingItemId"];
    for (name, by, more) in [
        ("ShoppingItemAdded", &anna, json!({ "name": "Brown rice", "version": 1 })),
        ("ShoppingItemUpdated", &anna, json!({ "version": 2 })),
        ("ShoppingItemPurchased", &anna, json!({ "itemId": rice["id"], "version": 3 })),
        ("ShoppingItemUnchecked", &ben, json!({ "version": 4 })),
        ("ShoppingItemRemoved", &anna, json!({})),
    ] {
        let event = stream.next().await;
        assert_eq!(event.name, name);
        let mut expected = json!({
            "shoppingItemId": id, "userId": by.user_id, "at": event.data["at"],
        });
        expected.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(event.data, expected, "{name}");
    }
}

#[tokio::test]
async fn free_text_that_was_bought_names_no_item() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;
    set_status(&anna, &put_text(&anna, "Cake").await, "purchased").await;
    let seen = stream.until(|event| event.name == "ShoppingItemPurchased").await;
    assert_eq!(seen.last().unwrap().data["itemId"], Value::Null);
}

#[tokio::test]
async fn an_item_and_its_entries_are_told_when_it_is_deleted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let entry = put(&anna, json!({ "name": "Rice", "itemId": rice["id"] })).await;
    let mut stream = anna.events(None).await;
    anna.delete(&format!("/inventory/items/{}", id_of(&rice))).await.expect(204);
    // In one transaction or in two: the order is the engine's.
    let mut told = [stream.next().await, stream.next().await];
    told.sort_by_key(|event| event.name.clone());
    assert_eq!(
        told.each_ref().map(|event| event.name.as_str()),
        ["ItemDeleted", "ShoppingItemUpdated"]
    );
    assert_eq!(told[0].data["itemId"], rice["id"]);
    assert_eq!(told[1].data["shoppingItemId"], entry["shoppingItemId"]);
}
