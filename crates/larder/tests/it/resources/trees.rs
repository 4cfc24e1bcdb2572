//! The tree: children, parents, ancestors, and no cycles.

use serde_json::{Value, json};

use super::{Home, NOBODY, box_with};
use crate::it::support::{Client, resource_path, urn_of, urns};

/// So many resources, each in the one before.
async fn chain(client: &Client, length: usize) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    for _ in 0..length {
        let parent = made.last().map(String::as_str);
        let urn = client.make("Home.Box", parent).await;
        made.push(urn);
    }
    made
}

async fn children(client: &Client, urn: &str) -> Vec<Value> {
    client.all_pages(&format!("{}/children", resource_path(urn)), "").await
}

#[tokio::test]
async fn a_thing_that_is_moved_takes_along_what_is_in_it() {
    let home = Home::open().await;
    let (cellar, attic) =
        (home.anna.make("Home.Room", None).await, home.anna.make("Home.Room", None).await);
    let shelf = home.anna.make("Home.Shelf", Some(&cellar)).await;
    let tent = home.anna.make("Home.Box", Some(&shelf)).await;
    let moved = home.anna.attach(&shelf, &attic).await;
    assert_eq!(moved.header("etag"), "\"2-1\"");
    let moved = moved.expect(200);
    assert_eq!(
        (moved["urn"].as_str(), moved["_parentUrn"].as_str()),
        (Some(&*shelf), Some(&*attic))
    );
    assert_eq!(children(&home.anna, &cellar).await, Vec::<Value>::new());
    assert_eq!(children(&home.anna, &attic).await, [moved]);
    let ancestors = home.anna.all_pages(&format!("{}/ancestors", resource_path(&tent)), "").await;
    assert_eq!(urns(&ancestors), [&*shelf, &*attic]);
    let parent = home.anna.get(&format!("{}/parent", resource_path(&shelf))).await.expect(200);
    assert_eq!(parent, home.anna.resource(&attic).await);
}

#[tokio::test]
async fn moving_a_thing_to_where_it_is_changes_nothing() {
    let home = Home::open().await;
    let urns = chain(&home.anna, 2).await;
    let before = home.state().await;
    let same = home.anna.attach(&urns[1], &urns[0]).await.expect(200);
    assert_eq!(same["_version"], 1);
    assert_eq!(home.state().await, before);
}

#[tokio::test]
async fn a_thing_is_taken_out_of_what_it_is_in() {
    let home = Home::open().await;
    let urns = chain(&home.anna, 3).await;
    let path = format!("{}/parent", resource_path(&urns[1]));
    let out = home.anna.delete(&path).await.expect(200);
    assert_eq!((&out["_parentUrn"], &out["_version"]), (&Value::Null, &json!(2)));
    home.anna.get(&path).await.expect_problem(404, "PARENT_NOT_FOUND");
    assert_eq!(children(&home.anna, &urns[0]).await, Vec::<Value>::new());
    assert_eq!(children(&home.anna, &urns[1]).await.len(), 1, "what is in it stays in it");
    let again = home.anna.delete(&path).await.expect(200);
    assert_eq!(again, out, "it is in nothing already");
}

#[tokio::test]
async fn nothing_is_in_itself() {
    let home = Home::open().await;
    let tent = home.anna.make("Home.Box", None).await;
    let before = home.state().await;
    home.anna.attach(&tent, &tent).await.expect_problem(400, "SELF_LINK");
    let upper = tent.replace("urn:pp:Home.Box::", "").to_uppercase();
    let same = format!("urn:pp:Home.Box::{upper}");
    home.anna.attach(&tent, &same).await.expect_problem(400, "SELF_LINK");
    let own = box_with(json!({ "id": NOBODY, "parentUrn": format!("urn:pp:Home.Box::{NOBODY}") }));
    home.anna.post("/resources", own).await.expect_problem(400, "SELF_LINK");
    assert_eq!(home.state().await, before);
}

#[tokio::test]
async fn circles_of_two_and_of_fifty_are_refused() {
    let home = Home::open().await;
    let urns = chain(&home.anna, 50).await;
    let before = home.state().await;
    home.anna.attach(&urns[0], &urns[1]).await.expect_problem(409, "CYCLE");
    home.anna.attach(&urns[0], &urns[49]).await.expect_problem(409, "CYCLE");
    home.anna.attach(&urns[20], &urns[49]).await.expect_problem(409, "CYCLE");
    assert_eq!(home.state().await, before);
    home.anna.attach(&urns[49], &urns[0]).await.expect(200);
}

#[tokio::test]
async fn ancestors_page_from_the_nearest_up() {
    let home = Home::open().await;
    let mut line = chain(&home.anna, 12).await;
    let leaf = line.pop().unwrap();
    line.reverse();
    let path = format!("{}/ancestors", resource_path(&leaf));
    assert_eq!(urns(&home.anna.all_pages(&path, "limit=5").await), line);
    assert_eq!(urns(&home.anna.all_pages(&path, "limit=11").await), line);
}

#[tokio::test]
async fn children_page_in_the_order_of_their_urns() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Room", None).await;
    let mut made = Vec::new();
    for kind in ["Home.Shelf", "Home.Box", "Home.Box", "Home.Chair", "Home.Box"] {
        made.push(home.anna.make(kind, Some(&room)).await);
    }
    home.anna.make("Home.Box", Some(&made[0])).await;
    made.sort_unstable();
    let path = format!("{}/children", resource_path(&room));
    for limit in [1, 2, 5, 200] {
        let listed = home.anna.all_pages(&path, &format!("limit={limit}")).await;
        assert_eq!(urns(&listed), made, "{limit} at a time");
    }
}

#[tokio::test]
async fn a_parent_that_is_not_there_is_named() {
    let home = Home::open().await;
    let made = home.anna.make_with(box_with(json!({}))).await;
    let (tent, nobody) = (urn_of(&made), format!("urn:pp:Home.Room::{NOBODY}"));
    home.anna.attach(tent, &nobody).await.expect_problem(404, "PARENT_NOT_FOUND");
    home.anna.attach(&nobody, tent).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    let path = format!("{}/parent", resource_path(&nobody));
    home.anna.delete(&path).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    // The household is an account, and no resource.
    let account = made["_accountUrn"].as_str().unwrap();
    home.anna.attach(tent, account).await.expect_problem(404, "PARENT_NOT_FOUND");
    for (body, code) in [
        (json!({}), "INVALID_FIELDS"),
        (json!({ "parentUrn": null }), "INVALID_FIELDS"),
        (json!({ "parentUrn": 7 }), "INVALID_FIELDS"),
        (json!({ "parentUrn": nobody, "parent": nobody }), "UNKNOWN_FIELD"),
    ] {
        let path = format!("{}/parent", resource_path(tent));
        home.anna.put(&path, body).await.expect_problem(400, code);
    }
    assert_eq!(home.state().await, [made]);
}
