//! Concurrent edits of one item: untouched fields are never reverted.

use serde_json::{Value, json};

use super::{borrowed, form_of, home, path_of};
use crate::{
    it::support::{Client, Server, id_of},
    web::support::{Page, Reader},
};

async fn patch(anna: &Client, item: &Value, version: u64, mut change: Value) {
    change["version"] = json!(version);
    anna.patch(&format!("/inventory/items/{}", id_of(item)), change).await.expect(200);
}

/// The edit form of a page that shows the item, with these changes, sent.
async fn save(
    reader: &Reader,
    page: &Page,
    item: &Value,
    changes: &[(&'static str, &str)],
) -> Page {
    let mut form = form_of(item, changes);
    form.push(("base", page.hidden("base")));
    reader.post(&path_of(item), &borrowed(&form)).await
}

#[tokio::test]
async fn changes_of_different_fields_are_both_kept_without_a_question() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 4, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    let taken = json!({ "delta": -1 });
    anna.post(&format!("/inventory/items/{}/adjust", id_of(&milk)), taken).await.expect(200);
    patch(&anna, &milk, 2, json!({ "name": "Oat milk" })).await;
    let answer = save(&reader, &page, &milk, &[("notes", "top \"shelf\"")]).await;
    assert_eq!(answer.location(), format!("{}?notice=stock-saved", path_of(&milk)));
    let now = anna.item(id_of(&milk)).await;
    assert_eq!(
        (&now["name"], &now["quantity"], &now["notes"]),
        (&json!("Oat milk"), &json!(3), &json!("top \"shelf\""))
    );
}

#[tokio::test]
async fn only_what_both_changed_is_asked_and_saving_mine_puts_nothing_else_back() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    patch(&anna, &milk, 1, json!({ "notes": "in the door", "quantity": 4 })).await;
    let mine = [("notes", "top shelf"), ("threshold", "2")];
    let page = save(&reader, &page, &milk, &mine).await.expect(409);
    assert!(page.says("Notes top shelf in the door"), "{}", page.visible());
    assert!(!page.says("Quantity 1 L 4 L"), "{}", page.visible());
    assert_eq!(anna.item(id_of(&milk)).await["notes"], "in the door", "nothing has changed yet");
    // "Save mine" sends the page's fields.
    let names = ["version", "base", "name", "quantity", "unit", "category", "threshold", "notes"];
    let held: Vec<_> = names.iter().map(|name| (*name, page.hidden(name))).collect();
    // Another concurrent change, of another field.
    patch(&anna, &milk, 2, json!({ "quantity": 5 })).await;
    reader.submit(&path_of(&milk), &borrowed(&held)).await;
    let now = anna.item(id_of(&milk)).await;
    assert_eq!(
        (&now["notes"], &now["quantity"], &now["lowStockThreshold"]),
        (&json!("top shelf"), &json!(5), &json!(2))
    );
}

#[tokio::test]
async fn an_amount_that_both_changed_is_asked() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    patch(&anna, &milk, 1, json!({ "quantity": 4 })).await;
    let mine = [("quantity", "1000"), ("unit", "mL")];
    let page = save(&reader, &page, &milk, &mine).await.expect(409);
    assert!(page.says("Quantity 1000 mL 4 L"), "{}", page.visible());
}

#[tokio::test]
async fn an_item_that_changed_since_it_was_shown_is_not_deleted() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    patch(&anna, &milk, 1, json!({ "quantity": 4 })).await;
    let delete = format!("{}/delete", path_of(&milk));
    let shown = page.text.split(&delete).nth(1).unwrap();
    assert!(shown.contains("name=\"version\" value=\"1\""), "{shown}");
    reader.post(&delete, &[("version", "1")]).await.expect(409);
    assert_eq!(anna.item(id_of(&milk)).await["quantity"], 4);
    let ticked = format!("{}:1", id_of(&milk));
    let page = reader.submit("/stock/bulk", &[("item", &*ticked), ("do", "delete")]).await;
    assert!(page.says("1 had changed meanwhile"), "{}", page.visible());
    reader.post(&delete, &[("version", "2")]).await.expect(303);
    reader.get(&path_of(&milk)).await.expect(404);
}
