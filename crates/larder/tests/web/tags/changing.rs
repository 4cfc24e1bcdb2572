//! Tags that are changed and deleted, and tags whose item is gone.

use serde_json::{Value, json};

use super::{household, page_path};
use crate::it::support::{Server, id_of, page_of, url_id};
use crate::web::support::Reader;

#[tokio::test]
async fn label_and_step_are_changed_where_the_tag_is_shown() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let tag = anna.add_tag(&rice, json!({ "label": "Shelf \"1\"", "step": 0.5 })).await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get(&page_path(&tag)).await.expect(200);
    assert!(page.text.contains("value=\"Shelf &#34;1&#34;\""), "{}", page.text);
    assert!(page.text.contains("autocomplete=\"off\" value=\"0.5\" required"), "{}", page.text);
    let saved = reader.submit(&page_path(&tag), &[("label", " Door "), ("step", "0,25")]).await;
    for text in ["The tag is saved.", "Rice · Door", "One tap takes 0.25 kg"] {
        assert!(saved.says(text), "{text}: {}", saved.visible());
    }
    let cleared = reader.submit(&page_path(&tag), &[("label", " "), ("step", "")]).await;
    assert!(cleared.says("One tap takes 1 kg"), "{}", cleared.visible());
    let now = &anna.tags().await[0];
    assert_eq!((&now["label"], &now["step"]), (&Value::Null, &json!(1)));
    assert_eq!(now["url"], tag["url"]);
    for (label, step, field) in
        [(&*"x".repeat(51), "1", "Label"), ("", "0", "How much one tap takes")]
    {
        let refused = reader.post(&page_path(&tag), &[("label", label), ("step", step)]).await;
        let refused = refused.expect(400);
        assert!(refused.says(&format!("Please check “{field}")), "{}", refused.visible());
    }
    assert_eq!(anna.tags().await, std::slice::from_ref(now));
}

#[tokio::test]
async fn a_tag_is_deleted_replaced_or_not() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let (active, replaced) =
        (anna.add_tag(&rice, json!({})).await, anna.add_tag(&rice, json!({})).await);
    let successor = anna.rotate(&replaced).await.expect(200)["new"].clone();
    let reader = Reader::of(&server, &anna).await;
    reader.get("/tags").await.expect(200);
    let edited = reader.post(&page_path(&replaced), &[("label", "x"), ("step", "1")]).await;
    assert!(edited.expect(410).says("This tag was replaced"));
    for tag in [&active, &replaced] {
        let page = reader.get(&page_path(tag)).await.expect(200);
        assert!(page.says("Its address becomes unknown at once"), "{}", page.visible());
        let list = reader.submit(&format!("{}/delete", page_path(tag)), &[]).await;
        assert!(list.says("The tag is deleted."), "{}", list.visible());
        assert!(!list.text.contains(url_id(tag)), "{}", list.text);
        reader.get(&page_path(tag)).await.expect(404);
        reader.post(&format!("{}/delete", page_path(tag)), &[]).await.expect(404);
        assert_eq!(server.anonymous().get_root(&page_of(tag)).await.status, 404);
    }
    assert_eq!(anna.tags().await, [successor]);
}

#[tokio::test]
async fn a_tag_whose_item_is_gone_is_shown_as_dead_and_can_be_deleted() {
    let server = Server::start().await;
    let (anna, rice, milk) = household(&server).await;
    let tag = anna.add_tag(&rice, json!({ "step": 0.5 })).await;
    let other = anna.add_tag(&milk, json!({})).await;
    anna.delete(&format!("/inventory/items/{}", id_of(&rice))).await.expect(204);
    let reader = Reader::of(&server, &anna).await;
    let all = reader.get("/tags").await.expect(200);
    let shown = "Milk 1 L per tap Never opened Rice 0.5 per tap Never opened Item deleted";
    assert!(all.says(shown), "{}", all.visible());
    let list = reader.get(&format!("/tags?item={}", id_of(&rice))).await.expect(200);
    assert!(list.says("Tags of Rice") && !list.says("New tag"), "{}", list.visible());
    let labels = reader.get("/tags/labels?all=yes").await.expect(200);
    assert!(labels.says("Milk 1 L per tap") && !labels.says("Rice"), "{}", labels.visible());
    let sheet =
        format!("/tags/labels/sheet?format=roll-62&tag={}&tag={}", url_id(&tag), url_id(&other));
    let sheet = reader.get(&sheet).await.expect(200);
    assert!(sheet.says("One tag was left out") && sheet.says("Milk −1 L"), "{}", sheet.visible());

    let page = reader.get(&page_path(&tag)).await.expect(200);
    assert!(page.says("The item of this tag was deleted"), "{}", page.visible());
    assert!(!page.text.contains("/t/") && !page.text.contains("crispEdges"), "{}", page.text);
    let list = reader.submit(&format!("{}/delete", page_path(&tag)), &[]).await;
    assert!(list.says("The tag is deleted.") && !list.says("Rice"), "{}", list.visible());
    assert_eq!(anna.tags().await, [other]);
}
