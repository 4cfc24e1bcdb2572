//! Probing URLs reveals nothing.

use reqwest::{Method, header::HeaderMap};
use serde_json::json;

use crate::it::support::{Answer, Client, RawConnection, Server, url_id, without_request_id};

/// URLs that differ from an unknown one only in their form.
fn probes(known: &str) -> Vec<String> {
    vec![
        known[..21].to_owned(),
        format!("{known}0"),
        format!("{}-", &known[..21]),
        format!("{}%41", &known[..21]),
        format!("{}%ff", &known[..21]),
        "zzzzzzzzzzzzzzzzzzzzzz".to_owned(),
        "x".repeat(5000),
        "%E3%81%82".to_owned(),
        "..%2f..%2fapi".to_owned(),
    ]
}

fn comparable(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
        (name.to_string(), value.to_str().unwrap().to_owned())
    };
    let mut headers: Vec<_> = headers.iter().map(text).collect();
    headers.retain(|(name, _)| name != "x-request-id" && name != "date");
    headers.sort();
    headers
}

async fn page(phone: &Client, id: &str) -> Answer {
    phone.get_root(&format!("/t/{id}")).await
}

async fn tap(phone: &Client, id: &str) -> Answer {
    let request = phone.request_root(Method::POST, &format!("/t/{id}/adjust"));
    phone.send(request.json(&json!({ "delta": -1, "nonce": "nonce-001" }))).await
}

#[tokio::test]
async fn every_address_that_no_tag_has_gets_the_same_answer() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let tag = anna.add_tag(&anna.add("Eggs", 6, "個").await, json!({})).await;
    let unknown = "0123456789ABCDEFabcdef";
    let (page_of_unknown, tap_of_unknown) =
        (page(&phone, unknown).await, tap(&phone, unknown).await);
    assert_eq!(page_of_unknown.status, 404);
    let problem = without_request_id(tap_of_unknown.expect_problem(404, "TAG_NOT_FOUND"));
    for probe in probes(url_id(&tag)) {
        let answer = page(&phone, &probe).await;
        assert_eq!(answer.status, 404, "{probe}");
        assert_eq!(answer.text, page_of_unknown.text, "{probe}");
        assert_eq!(comparable(&answer.headers), comparable(&page_of_unknown.headers), "{probe}");
        let answer = tap(&phone, &probe).await;
        let refused = answer.expect_problem(404, "TAG_NOT_FOUND");
        assert_eq!(without_request_id(refused), problem, "{probe}");
        let headers = |answer: &Answer| {
            let mut headers = comparable(&answer.headers);
            headers.retain(|(name, _)| name != "content-length");
            headers
        };
        assert_eq!(headers(&answer), headers(&tap_of_unknown), "{probe}");
    }
}

#[tokio::test]
async fn a_path_that_is_no_text_gets_the_same_answer_too() {
    let server = Server::start().await;
    let expected = page(&server.anonymous(), "0123456789ABCDEFabcdef").await;
    let mut connection = RawConnection::open(&server.address()).await;
    connection.send(b"GET /t/%00%zz%c3%28 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    let answer = connection.read_to_end().await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    assert!(answer.ends_with(&expected.text), "{answer}");
}
