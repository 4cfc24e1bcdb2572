//! The page without script: forms, and pages as answers.

use serde_json::json;

use crate::it::support::{Answer, Server, id_of, url_id};

fn assert_page(answer: &Answer, status: u16, part: &str) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.text.contains(part), "{part} is not in {}", answer.text);
}

/// The nonces of the two forms of a page: to take, and to put back.
fn nonces(page: &Answer) -> Vec<String> {
    let values = page.text.split(r#"name="nonce" value=""#).skip(1);
    values.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_forms_of_the_page_work() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    let page = phone.page(&tag).await;
    let action = format!("<form method=\"post\" action=\"{}/adjust\">", url_id(&tag));
    assert_eq!(page.text.matches(&action).count(), 2, "{}", page.text);
    let on_the_page = nonces(&page);
    assert_eq!(on_the_page.len(), 2);
    assert_ne!(on_the_page[0], on_the_page[1]);

    let taken = phone.submit(&tag, "-1", &on_the_page[0]).await;
    assert_page(&taken, 200, "Took 1個.");
    assert_page(&taken, 200, "5個 left");
    assert!(!taken.text.contains("<script"), "nothing may be taken by itself");
    let again = phone.submit(&tag, "-1", &on_the_page[0]).await;
    assert_page(&again, 200, "Took 1個.");
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 5, "a reload changes nothing");

    let next = nonces(&taken);
    assert!(next.iter().all(|nonce| !on_the_page.contains(nonce)));
    assert_page(&phone.submit(&tag, "1", &next[1]).await, 200, "Put back 1個.");
    anna.adjust(id_of(&eggs), -2).await.expect(200);
    let reloaded = phone.submit(&tag, "1", &next[1]).await;
    assert_page(&reloaded, 200, "4個 left");
}

#[tokio::test]
async fn a_form_is_answered_with_a_page_whatever_happens() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    for body in [
        "",
        "delta=-1",
        "delta=2&nonce=nonce-001",
        "delta=-1&nonce=x",
        "delta=-1&delta=1&nonce=nonce-001",
        "delta=-1&nonce=nonce-001&x=1",
        "delta=%zz&nonce=nonce-001",
    ] {
        let answer = phone.send(phone.form(&tag, body)).await;
        assert_page(&answer, 400, "That did not work");
    }
    let unknown = json!({ "urlId": "0000000000000000000000" });
    assert_page(&phone.submit(&unknown, "-1", "nonce-001").await, 404, "Unknown tag");
    assert_eq!(anna.item(id_of(&eggs)).await["version"], 1);
    anna.rotate(&tag).await.expect(200);
    assert_page(&phone.submit(&tag, "-1", "nonce-001").await, 410, "This tag was replaced");
}
