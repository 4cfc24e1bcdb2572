//! Undoing the last change of an item.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of};

fn path(item: &Value) -> String {
    format!("/inventory/items/{}/undo", id_of(item))
}

/// Undoes the change that left this version.
async fn undo(client: &Client, item: &Value, version: u64) -> Value {
    client.post(&path(item), json!({ "version": version })).await.expect(200)["item"].clone()
}

#[tokio::test]
async fn the_last_change_is_undone_whatever_it_was() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 3, "L").await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let back = undo(&anna, &milk, 2).await;
    assert_eq!((amount(&back["quantity"]), &back["version"]), ("3".to_owned(), &json!(3)));
    let edit = json!({ "version": 3, "name": "Oat milk", "notes": "open", "quantity": 9 });
    anna.patch(&format!("/inventory/items/{}", id_of(&milk)), edit).await.expect(200);
    let back = undo(&anna, &milk, 4).await;
    assert_eq!((&back["name"], &back["notes"]), (&json!("Milk"), &Value::Null));
    assert_eq!(amount(&back["quantity"]), "3");
    assert_eq!(anna.item(id_of(&milk)).await, back);
    // Undoing what was undone brings it back.
    assert_eq!(undo(&anna, &milk, 5).await["name"], "Oat milk");
}

#[tokio::test]
async fn what_has_changed_since_or_cannot_be_undone_is_a_conflict() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 3, "L").await;
    let added = anna.post(&path(&milk), json!({ "version": 1 })).await;
    added.expect_problem(409, "NOTHING_TO_UNDO");
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let now = anna.adjust(id_of(&milk), 5).await.expect(200)["item"].clone();
    for stale in [1, 2, 4] {
        let answer = anna.post(&path(&milk), json!({ "version": stale })).await;
        assert_eq!(answer.expect_problem(409, "VERSION_CONFLICT")["current"], now);
    }
    anna.post(&path(&milk), json!({})).await.expect_invalid_field("version");
    // Another item has taken the name in the meantime.
    let rename = json!({ "version": 3, "name": "Oat milk" });
    anna.patch(&format!("/inventory/items/{}", id_of(&milk)), rename).await.expect(200);
    let other = anna.add("Milk", 1, "L").await;
    let answer = anna.post(&path(&milk), json!({ "version": 4 })).await;
    assert_eq!(answer.expect_problem(409, "DUPLICATE_ITEM")["existing"], other);
    anna.delete(&format!("/inventory/items/{}", id_of(&other))).await.expect(204);
    let gone = anna.post(&path(&other), json!({ "version": 1 })).await;
    gone.expect_problem(404, "ITEM_NOT_FOUND");
}

#[tokio::test]
async fn a_repetition_answers_the_same_and_undoes_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 3, "L").await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let body = json!({ "version": 2 });
    let first = anna.post_once(&path(&milk), "undo-1", &body).await;
    assert_eq!(amount(&first.expect(200)["item"]["quantity"]), "3");
    anna.adjust(id_of(&milk), -1).await.expect(200);
    let again = anna.post_once(&path(&milk), "undo-1", &body).await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(amount(&anna.item(id_of(&milk)).await["quantity"]), "2");
    let other = anna.post_once(&path(&milk), "undo-1", &json!({ "version": 4 })).await;
    other.expect_problem(409, "IDEMPOTENCY_MISMATCH");
}
