//! Invalid taps.

use reqwest::Method;
use serde_json::json;

use crate::it::support::{Server, adjustment_of, id_of};

#[tokio::test]
async fn a_delta_is_one_or_minus_one_and_nothing_else() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    let send = async |body: String| {
        let request = phone.request_root(Method::POST, &adjustment_of(&tag));
        phone.send(request.header("Content-Type", "application/json").body(body)).await
    };
    for delta in
        ["0", "2", "-2", "\"1\"", "null", "1.0", "-1.0", "1e0", "true", "[1]", "{}", "100000000000"]
    {
        let answer = send(format!(r#"{{"delta":{delta},"nonce":"nonce-001"}}"#)).await;
        answer.expect_invalid_field("delta");
    }
    send(r#"{"nonce":"nonce-001"}"#.to_owned()).await.expect_invalid_field("delta");
    for nonce in
        ["\"short\"", "\"\"", "null", "1", "\"white space\"", "\"nonce/001\"", "\"é1234567\""]
    {
        let answer = send(format!(r#"{{"delta":-1,"nonce":{nonce}}}"#)).await;
        answer.expect_invalid_field("nonce");
    }
    let long = "x".repeat(65);
    send(format!(r#"{{"delta":-1,"nonce":"{long}"}}"#)).await.expect_invalid_field("nonce");
    let unknown = send(r#"{"delta":-1,"nonce":"nonce-001","step":5}"#.to_owned()).await;
    unknown.expect_field_error("UNKNOWN_FIELD", "step");
    send(String::new()).await.expect_problem(400, "BODY_REQUIRED");
    send("{".to_owned()).await.expect_problem(400, "MALFORMED_JSON");
    assert_eq!(anna.item(id_of(&eggs)).await["version"], 1, "nothing was changed");
}

#[tokio::test]
async fn only_json_and_forms_are_read() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let tag = anna.add_tag(&anna.add("Eggs", 6, "個").await, json!({})).await;
    let body = r#"{"delta":-1,"nonce":"nonce-001"}"#;
    for kind in ["text/plain", "multipart/form-data; boundary=x", "application/xml"] {
        let request = phone.request_root(Method::POST, &adjustment_of(&tag));
        let answer = phone.send(request.header("Content-Type", kind).body(body)).await;
        answer.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let get = phone.get_root(&adjustment_of(&tag)).await;
    get.expect_problem(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn a_tag_of_a_deleted_item_says_so() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    anna.delete(&format!("/inventory/items/{}", id_of(&eggs))).await.expect(204);
    phone.tap(&tag, -1, "nonce-001").await.expect_problem(410, "ITEM_DELETED");
    let page = phone.page(&tag).await;
    assert_eq!(page.status, 410);
    assert!(page.text.contains("This item is gone"), "{}", page.text);
    let form = phone.submit(&tag, "-1", "nonce-001").await;
    assert_eq!((form.status, form.text), (page.status, page.text));
}
