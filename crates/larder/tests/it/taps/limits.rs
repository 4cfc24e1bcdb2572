//! How often one may tap.

use reqwest::Method;
use serde_json::json;

use crate::it::support::{Answer, Client, Server, ServerSettings, id_of, page_of};

/// As many as one tag, and one address, may send in a minute.
const PER_TAG: u64 = 60;
const PER_ADDRESS: u64 = 240;

async fn limited_server() -> Server {
    let settings = ServerSettings::default()
        .with("LARDER_RATE_LIMITS", "on")
        // Its tests speak for clients of many addresses.
        .with("LARDER_TRUSTED_PROXY", "127.0.0.1");
    Server::start_with(settings).await
}

async fn get_from(phone: &Client, address: &str, path: &str) -> Answer {
    let request = phone.request_root(Method::GET, path);
    phone.send(request.header("X-Forwarded-For", address)).await
}

async fn tap_from(phone: &Client, address: &str, path: &str, nonce: u64) -> Answer {
    let request = phone.request_root(Method::POST, &format!("{path}/adjust"));
    let body = json!({ "delta": 1, "nonce": format!("nonce-{nonce:04}") });
    phone.send(request.header("X-Forwarded-For", address).json(&body)).await
}

fn assert_retry_after(answer: &Answer) {
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_tag_answers_so_often_whoever_asks() {
    let server = limited_server().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let (tag, other) = (anna.add_tag(&eggs, json!({})).await, anna.add_tag(&eggs, json!({})).await);
    let (path, other) = (page_of(&tag), page_of(&other));
    let mut done = 0;
    let refused = loop {
        let answer = tap_from(&phone, &format!("10.0.0.{done}"), &path, done).await;
        if answer.status == 429 {
            break answer;
        }
        answer.expect(200);
        done += 1;
        assert!(done < 3 * PER_TAG, "no limit was met");
    };
    // The limit recovers by one each second while the test runs.
    assert!(done >= PER_TAG, "{done}");
    refused.expect_problem(429, "RATE_LIMITED");
    assert_retry_after(&refused);
    let quantity = anna.item(id_of(&eggs)).await["quantity"].as_u64().unwrap();
    assert_eq!(quantity, 6 + done, "what was refused changed nothing");
    tap_from(&phone, "10.0.0.1", &other, 1).await.expect(200);
    assert_eq!(get_from(&phone, "10.0.0.1", &path).await.status, 200, "pages count apart");
}

#[tokio::test]
async fn an_address_is_answered_so_often_whatever_it_asks() {
    let server = limited_server().await;
    let phone = server.anonymous();
    let mut seen = 0;
    let refused = loop {
        // Invalid ids count too, each separately.
        let page = get_from(&phone, "10.0.0.1", &format!("/t/probe-{seen}")).await;
        if page.status == 429 {
            break page;
        }
        assert_eq!(page.status, 404);
        seen += 1;
        assert!(seen < 3 * PER_ADDRESS, "no limit was met");
    };
    assert!(seen >= PER_ADDRESS, "{seen}");
    assert_eq!(refused.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(refused.header("cache-control"), "no-store");
    assert!(refused.text.contains("Too many requests"), "{}", refused.text);
    assert_retry_after(&refused);
    assert_eq!(get_from(&phone, "10.0.0.2", "/t/probe").await.status, 404, "others may ask");
}

#[tokio::test]
async fn a_form_over_the_limit_is_answered_with_a_page() {
    let server = limited_server().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let tag = anna.add_tag(&anna.add("Eggs", 6, "個").await, json!({})).await;
    for _ in 0..3 * PER_TAG {
        let answer = phone.submit(&tag, "-1", "nonce-001").await;
        if answer.status == 429 {
            assert!(answer.text.contains("<h1>Too many requests</h1>"), "{}", answer.text);
            assert_retry_after(&answer);
            return;
        }
        assert_eq!(answer.status, 200);
    }
    panic!("no limit was met");
}
