//! The list by store and status, in pages.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{listed, put, put_text, set_status, shop};
use crate::it::support::{Server, encode, names};

#[tokio::test]
async fn the_list_is_read_by_store_and_by_status() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (market, corner) = (shop(&anna, "Market").await, shop(&anna, "Corner shop").await);
    for (name, store, is_bought) in [
        ("Bread", json!(market), false),
        ("Milk", json!(market), true),
        ("Tea", json!(corner), false),
        ("Cake", Value::Null, false),
        ("Soap", Value::Null, true),
    ] {
        let entry = put(&anna, json!({ "name": name, "storeId": store })).await;
        if is_bought {
            set_status(&anna, &entry, "purchased").await;
        }
    }
    let unknown = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    for (query, expected) in [
        (String::new(), vec!["Bread", "Milk", "Tea", "Cake", "Soap"]),
        ("status=all".into(), vec!["Bread", "Milk", "Tea", "Cake", "Soap"]),
        ("status=pending".into(), vec!["Bread", "Tea", "Cake"]),
        ("status=purchased".into(), vec!["Milk", "Soap"]),
        (format!("storeId={market}"), vec!["Bread", "Milk"]),
        (format!("storeId={market}&status=pending"), vec!["Bread"]),
        (format!("storeId={corner}&status=all"), vec!["Tea"]),
        (format!("storeId={corner}&status=purchased"), vec![]),
        ("storeId=unassigned".into(), vec!["Cake", "Soap"]),
        ("storeId=unassigned&status=pending".into(), vec!["Cake"]),
        ("storeId=unassigned&status=purchased".into(), vec!["Soap"]),
        (format!("storeId={unknown}"), vec![]),
    ] {
        assert_eq!(names(&listed(&anna, &query).await), expected, "{query}");
        let one_by_one = listed(&anna, &format!("{query}&limit=1")).await;
        assert_eq!(names(&one_by_one), expected, "{query}, one by one");
    }
}

#[tokio::test]
async fn paging_loses_and_repeats_nothing_and_keeps_the_order() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut expected = Vec::new();
    for number in 0..60 {
        let name = format!("Entry {number:02}");
        let entry = put_text(&anna, &name).await;
        if number % 10 == 9 {
            set_status(&anna, &entry, "purchased").await;
        }
        expected.push(name);
    }
    let page = anna.get("/shopping-list").await.expect(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 50, "by default");
    for query in ["limit=7", "limit=60", "limit=200"] {
        assert_eq!(names(&listed(&anna, query).await), expected, "{query}");
    }
    let bought = listed(&anna, "status=purchased&limit=2").await;
    let distinct: BTreeSet<_> = names(&bought).into_iter().collect();
    assert_eq!((bought.len(), distinct.len()), (6, 6));
}

#[tokio::test]
async fn a_cursor_is_bound_to_its_household_and_query() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    for name in ["Bread", "Milk", "Tea"] {
        put_text(&anna, name).await;
    }
    let page = anna.get("/shopping-list?limit=2").await.expect(200);
    let cursor = encode(page["nextCursor"].as_str().unwrap());
    let rest = anna.get(&format!("/shopping-list?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(names(rest["items"].as_array().unwrap()), ["Tea"]);
    assert_eq!(rest["nextCursor"], Value::Null);
    for (client, query) in
        [(&stranger, ""), (&anna, "status=pending&"), (&anna, "storeId=unassigned&")]
    {
        let answer = client.get(&format!("/shopping-list?{query}cursor={cursor}")).await;
        answer.expect_problem(400, "INVALID_CURSOR");
    }
    for made_up in ["", "made-up", &cursor[1..]] {
        let answer = anna.get(&format!("/shopping-list?cursor={made_up}")).await;
        answer.expect_problem(400, "INVALID_CURSOR");
    }
    let elsewhere = anna.get(&format!("/inventory/items?cursor={cursor}")).await;
    elsewhere.expect_problem(400, "INVALID_CURSOR");
}

#[tokio::test]
async fn bad_queries_are_named() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for query in ["limit=0", "limit=201", "limit=x"] {
        anna.get(&format!("/shopping-list?{query}")).await.expect_invalid_field("limit");
    }
    let unknown = anna.get("/shopping-list?store=1").await;
    unknown.expect_field_error("UNKNOWN_FIELD", "store");
}

#[tokio::test]
async fn whoever_holds_the_same_list_or_entry_gets_304() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let entry = put_text(&anna, "Bread").await;
    for path in ["/shopping-list".to_owned(), super::path_of(&entry)] {
        let first = anna.get(&path).await;
        first.expect(200);
        let tag = first.header("etag").to_owned();
        let again = async || {
            let request = anna.request(reqwest::Method::GET, &path);
            anna.send(request.header("If-None-Match", &tag)).await
        };
        let unchanged = again().await;
        assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""));
        let entry = super::read(&anna, &entry).await;
        let status = if entry["status"] == "pending" { "purchased" } else { "pending" };
        set_status(&anna, &entry, status).await;
        again().await.expect(200);
    }
}
