//! Cursors: nothing lost, nothing twice, nothing that isn't yours.

use std::collections::BTreeSet;

use crate::it::support::{Client, Server, encode, ids, names};

async fn stocked(server: &Server, count: usize) -> Client {
    let anna = server.with_household("anna").await;
    for number in 0..count {
        anna.add(&format!("Item {number:03}"), 1, "個").await;
    }
    anna
}

async fn first_cursor(client: &Client, query: &str) -> String {
    let page = client.get(&format!("/inventory/items?{query}")).await.expect(200);
    page["nextCursor"].as_str().expect("more follow").to_owned()
}

#[tokio::test]
async fn paging_through_120_items_loses_and_repeats_nothing() {
    let server = Server::start().await;
    let anna = stocked(&server, 120).await;
    let default_page = anna.get("/inventory/items").await.expect(200);
    assert_eq!(default_page["items"].as_array().unwrap().len(), 50);

    for query in ["", "limit=7", "limit=120", "sort=name&limit=50", "sort=expiration&limit=33"] {
        let listed = anna.all_pages("/inventory/items", query).await;
        assert_eq!(listed.len(), 120, "{query}");
        let distinct: BTreeSet<_> = ids(&listed).into_iter().collect();
        assert_eq!(distinct.len(), 120, "{query}");
    }
    let by_name = anna.all_pages("/inventory/items", "sort=name&limit=11").await;
    let expected: Vec<_> = (0..120).map(|number| format!("Item {number:03}")).collect();
    assert_eq!(names(&by_name), expected);
    let newest_first = anna.all_pages("/inventory/items", "sort=created&limit=11").await;
    assert!(names(&newest_first).into_iter().rev().eq(expected.iter()));
}

#[tokio::test]
async fn a_filter_over_pages_never_gives_an_empty_page_before_the_end() {
    let server = Server::start().await;
    let anna = stocked(&server, 60).await;
    for number in [0, 59] {
        anna.add(&format!("Rare {number}"), 1, "個").await;
    }
    let found = anna.all_pages("/inventory/items", "search=item+00&limit=3").await;
    assert_eq!(found.len(), 10);
    let found = anna.all_pages("/inventory/items", "search=rare&limit=1").await;
    assert_eq!(found.len(), 2);
}

#[tokio::test]
async fn items_added_while_paging_disturb_nothing() {
    let server = Server::start().await;
    let anna = stocked(&server, 20).await;
    let first = anna.get("/inventory/items?limit=10").await.expect(200);
    anna.add("Latecomer", 1, "個").await;
    let cursor = encode(first["nextCursor"].as_str().unwrap());
    let second = anna.get(&format!("/inventory/items?limit=10&cursor={cursor}")).await.expect(200);
    let mut listed = names(first["items"].as_array().unwrap());
    listed.extend(names(second["items"].as_array().unwrap()));
    let expected: Vec<_> = (0..20).rev().map(|number| format!("Item {number:03}")).collect();
    assert_eq!(listed, expected);
}

#[tokio::test]
async fn a_cursor_is_bound_to_its_household_and_query() {
    let server = Server::start().await;
    let anna = stocked(&server, 4).await;
    let ben = server.with_household("ben").await;
    ben.add("Item 000", 1, "個").await;
    let cursor = first_cursor(&anna, "limit=2").await;
    let with =
        |query: &str, cursor: &str| format!("/inventory/items?{query}cursor={}", encode(cursor));
    anna.get(&with("limit=2&", &cursor)).await.expect(200);

    ben.get(&with("limit=2&", &cursor)).await.expect_problem(400, "INVALID_CURSOR");
    for query in ["limit=2&sort=name&", "limit=2&search=item&", "limit=2&includeDepleted=true&"] {
        anna.get(&with(query, &cursor)).await.expect_problem(400, "INVALID_CURSOR");
    }
}

#[tokio::test]
async fn an_altered_cursor_is_refused_whichever_character_it_is() {
    let server = Server::start().await;
    let anna = stocked(&server, 4).await;
    let cursor = first_cursor(&anna, "limit=2").await;
    for position in 0..cursor.len() {
        let mut altered = cursor.clone().into_bytes();
        altered[position] = if altered[position] == b'A' { b'B' } else { b'A' };
        let altered = encode(std::str::from_utf8(&altered).unwrap());
        let answer = anna.get(&format!("/inventory/items?limit=2&cursor={altered}")).await;
        answer.expect_problem(400, "INVALID_CURSOR");
    }
    for made_up in ["", "x", "not base64!", &"A".repeat(5000)] {
        let answer = anna.get(&format!("/inventory/items?cursor={}", encode(made_up))).await;
        answer.expect_problem(400, "INVALID_CURSOR");
    }
}
