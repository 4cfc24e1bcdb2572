use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{Client, Server, page_of, tags_of};

fn count(tags: &[Value]) -> u64 {
    assert_eq!(tags.len(), 1);
    tags[0]["accessCount"].as_u64().unwrap()
}

async fn item_with_tag(anna: &Client) -> (Value, Value) {
    let rice = anna.add("Rice", 5, "kg").await;
    let tag = anna.add_tag(&rice, json!({})).await;
    (rice, tag)
}

#[tokio::test]
async fn every_visit_is_counted_and_seen_at_once() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let (rice, tag) = item_with_tag(&anna).await;
    for visits in 1..=3 {
        phone.page(&tag).await;
        assert_eq!(count(&anna.tags().await), visits);
    }
    let listed = anna.get(&tags_of(&rice)).await.expect(200)["items"][0].clone();
    assert_eq!(listed["accessCount"], 3);
    // Times of one format compare as texts.
    let last = listed["lastAccessedAt"].as_str().unwrap();
    assert!(last >= tag["createdAt"].as_str().unwrap(), "{last}");
    assert_eq!(last.len(), "2026-01-01T00:00:00.000Z".len());
}

#[tokio::test]
async fn nobody_who_does_not_look_is_counted() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let (_, tag) = item_with_tag(&anna).await;
    let page = page_of(&tag);
    phone.send(phone.request_root(Method::HEAD, &page)).await.expect(200);
    for (name, value) in [("Sec-Purpose", "prefetch;prerender"), ("Purpose", "prefetch")] {
        let ahead = phone.request_root(Method::GET, &page).header(name, value);
        assert_eq!(phone.send(ahead).await.status, 200);
    }
    phone.tap(&tag, -1, "nonce-001").await.expect(200);
    assert_eq!(count(&anna.tags().await), 0);
    assert_eq!(anna.tags().await[0]["lastAccessedAt"], json!(null));

    anna.rotate(&tag).await.expect(200);
    assert_eq!(phone.page(&tag).await.status, 410);
    let counts: Vec<_> = anna.tags().await.iter().map(|tag| tag["accessCount"].clone()).collect();
    assert_eq!(counts, [0, 0]);
}

#[tokio::test]
async fn a_clean_stop_loses_no_visit() {
    let mut server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let (_, tag) = item_with_tag(&anna).await;
    for _ in 0..25 {
        phone.page(&tag).await;
    }
    assert!(server.terminate().await.success());
    server.restart().await;
    assert_eq!(count(&anna.tags().await), 25);
}
