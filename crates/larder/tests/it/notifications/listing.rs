//! Notifications by status, newest first, in pages.

use serde_json::{Value, json};

use super::{acknowledge_path, add_watched, notified, path_of};
use crate::it::support::{Client, Server, encode, id_of};

fn items(notifications: &[Value]) -> Vec<&str> {
    notifications.iter().map(|told| told["itemName"].as_str().unwrap()).collect()
}

/// One that is active, one that was seen, one that has ended.
async fn one_of_each(anna: &Client) {
    for name in ["Tea", "Eggs", "Rice"] {
        let item = add_watched(anna, name, 1, 4).await;
        match name {
            "Tea" => _ = anna.adjust(id_of(&item), 5).await.expect(200),
            "Eggs" => {
                let told = notified(anna, "").await;
                anna.post(&acknowledge_path(&told[0]), json!({})).await.expect(200);
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn lists_show_what_is_open_unless_told_otherwise() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    one_of_each(&anna).await;
    for (query, expected) in [
        ("", vec!["Rice", "Eggs"]),
        ("status=open", vec!["Rice", "Eggs"]),
        ("status=active", vec!["Rice"]),
        ("status=acknowledged", vec!["Eggs"]),
        ("status=resolved", vec!["Tea"]),
        ("status=all", vec!["Rice", "Eggs", "Tea"]),
    ] {
        assert_eq!(items(&notified(&anna, query).await), expected, "{query}");
        let one_by_one = notified(&anna, &format!("{query}&limit=1")).await;
        assert_eq!(items(&one_by_one), expected, "{query}, one by one");
    }
}

#[tokio::test]
async fn paging_loses_and_repeats_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut expected = Vec::new();
    for number in 0..55 {
        let name = format!("Item {number:02}");
        add_watched(&anna, &name, 1, 4).await;
        expected.insert(0, name);
    }
    let page = anna.get("/notifications").await.expect(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 50, "by default");
    for query in ["", "limit=7", "status=all&limit=54", "limit=200"] {
        assert_eq!(items(&notified(&anna, query).await), expected, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_is_bound_to_its_household_and_query() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    for name in ["Tea", "Rice"] {
        add_watched(&anna, name, 1, 4).await;
    }
    let page = anna.get("/notifications?limit=1").await.expect(200);
    let cursor = encode(page["nextCursor"].as_str().unwrap());
    let rest = anna.get(&format!("/notifications?cursor={cursor}")).await.expect(200);
    assert_eq!(items(rest["items"].as_array().unwrap()), ["Tea"]);
    for (client, query) in [(&stranger, ""), (&anna, "status=all&"), (&anna, "status=active&")] {
        let answer = client.get(&format!("/notifications?{query}cursor={cursor}")).await;
        answer.expect_problem(400, "INVALID_CURSOR");
    }
}

#[tokio::test]
async fn bad_queries_are_named() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for status in ["", "Open", "seen", "pending"] {
        let answer = anna.get(&format!("/notifications?status={status}")).await;
        answer.expect_invalid_field("status");
    }
    anna.get("/notifications?limit=0").await.expect_invalid_field("limit");
    let unknown = anna.get("/notifications?kind=low_stock").await;
    unknown.expect_field_error("UNKNOWN_FIELD", "kind");
}

#[tokio::test]
async fn a_renamed_item_is_still_told_by_the_name_of_that_moment() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tea = add_watched(&anna, "Tee", 1, 4).await;
    anna.patch(&path_of(&tea), json!({ "version": 1, "name": "Tea" })).await.expect(200);
    assert_eq!(items(&notified(&anna, "").await), ["Tee"]);
}
