use serde_json::{Value, json};

use crate::it::support::{Client, Server, encode, id_of, tags_of, until};

fn labels(tags: &[Value]) -> Vec<&str> {
    tags.iter().map(|tag| tag["label"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn lists_are_newest_first_and_page_by_page() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (rice, milk) = (anna.add("Rice", 5, "kg").await, anna.add("Milk", 2, "L").await);
    for (item, label) in [(&rice, "1"), (&milk, "2"), (&rice, "3"), (&milk, "4"), (&rice, "5")] {
        anna.add_tag(item, json!({ "label": label })).await;
    }
    let all = anna.all_pages("/nfc-urls", "limit=2").await;
    assert_eq!(labels(&all), ["5", "4", "3", "2", "1"]);
    let of_rice = anna.all_pages(&tags_of(&rice), "limit=2").await;
    assert_eq!(labels(&of_rice), ["5", "3", "1"]);
    assert_eq!(of_rice[0], all[0]);
}

#[tokio::test]
async fn a_cursor_belongs_to_one_list_of_one_household() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 5, "kg").await;
    for _ in 0..2 {
        anna.add_tag(&rice, json!({})).await;
    }
    let page = anna.get("/nfc-urls?limit=1").await.expect(200);
    let cursor = encode(page["nextCursor"].as_str().unwrap());
    let other_list = anna.get(&format!("{}?limit=1&cursor={cursor}", tags_of(&rice))).await;
    other_list.expect_problem(400, "INVALID_CURSOR");
    let stranger = server.with_household("stranger").await;
    let foreign = stranger.get(&format!("/nfc-urls?limit=1&cursor={cursor}")).await;
    foreign.expect_problem(400, "INVALID_CURSOR");
    anna.get("/nfc-urls?limit=0").await.expect_invalid_field("limit");
}

async fn names_become(anna: &Client, name: &str) {
    until("every tag has the new name", async || {
        anna.tags().await.iter().all(|tag| tag["itemName"] == name)
    })
    .await;
}

#[tokio::test]
async fn a_renamed_item_renames_its_tags() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 5, "kg").await;
    for _ in 0..3 {
        anna.add_tag(&rice, json!({})).await;
    }
    let path = format!("/inventory/items/{}", id_of(&rice));
    anna.patch(&path, json!({ "version": 1, "name": "Brown rice" })).await.expect(200);
    names_become(&anna, "Brown rice").await;
    let tag = anna.add_tag(&rice, json!({})).await;
    assert_eq!(tag["itemName"], "Brown rice");
    let page = server.anonymous().page(&tag).await;
    assert!(page.text.contains("<h1 dir=\"auto\">Brown rice</h1>"), "{}", page.text);
}

#[tokio::test]
async fn tags_outlive_their_item() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 5, "kg").await;
    let tag = anna.add_tag(&rice, json!({})).await;
    anna.delete(&format!("/inventory/items/{}", id_of(&rice))).await.expect(204);
    assert_eq!(anna.tags().await, std::slice::from_ref(&tag));
    assert_eq!(anna.get(&tags_of(&rice)).await.expect(200)["items"], json!([tag]));
    anna.post(&tags_of(&rice), json!({})).await.expect_problem(404, "ITEM_NOT_FOUND");
}
