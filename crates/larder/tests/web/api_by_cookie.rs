//! The JSON API with a browser's cookie in place of a token: what scripts of pages send.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, EventStream, Server};

const ITEMS: &str = "/api/v1/inventory/items";

fn milk() -> Value {
    json!({ "name": "Milk", "quantity": 1, "unit": "L" })
}

/// A request that would add milk.
fn adding(reader: &Reader) -> RequestBuilder {
    reader.request(Method::POST, ITEMS).json(&milk())
}

/// Adds milk as a script of the last page would.
async fn add(reader: &Reader) -> Page {
    reader.send(adding(reader).header("x-csrf-token", reader.csrf())).await
}

fn expect_problem(page: Page, status: u16, code: &str) {
    let page = page.expect(status);
    assert_eq!(page.header("content-type"), "application/problem+json");
    let problem: Value = serde_json::from_str(&page.text).unwrap();
    assert_eq!(problem["code"], code, "{problem}");
}

/// A browser with a page of ours open.
async fn on_a_page(server: &Server, person: &Client) -> Reader {
    let reader = Reader::of(server, person).await;
    reader.get("/stock").await.expect(200);
    reader
}

#[tokio::test]
async fn a_cookie_reads_by_itself_and_writes_with_the_token_of_a_page() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = on_a_page(&server, &anna).await;
    let me = reader.get("/api/v1/me").await.expect(200);
    let me: Value = serde_json::from_str(&me.text).unwrap();
    assert_eq!(me["id"], anna.user_id.as_str());
    add(&reader).await.expect(201);
    assert_eq!(anna.items("").await.len(), 1);
    // Routes that are open to the operator too.
    reader.get("/api/v1/devices").await.expect(200);
    let keys = reader.request(Method::POST, "/api/v1/api-keys").json(&json!({}));
    expect_problem(reader.send(keys).await, 403, "CSRF_TOKEN_INVALID");
}

#[tokio::test]
async fn a_browser_is_told_which_session_is_its_own_and_keeps_it_with_a_new_password() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (reader, other) = (on_a_page(&server, &anna).await, on_a_page(&server, &anna).await);
    let sessions = async || -> Vec<(Value, Value)> {
        let page = reader.get("/api/v1/me/sessions").await.expect(200);
        let page: Value = serde_json::from_str(&page.text).unwrap();
        let items = page["items"].as_array().unwrap().iter();
        items.map(|it| (it["kind"].clone(), it["isCurrent"].clone())).collect()
    };
    let (browser, program) = (json!("browser"), json!("program"));
    let is_own = [false, true, false].map(Value::Bool);
    let kinds = [browser.clone(), browser.clone(), program];
    assert_eq!(sessions().await, kinds.into_iter().zip(is_own).collect::<Vec<_>>());
    let body = json!({ "current": anna.password, "new": "a new and longer password" });
    let change = reader.request(Method::POST, "/api/v1/me/password").json(&body);
    reader.send(change.header("x-csrf-token", reader.csrf())).await.expect(204);
    assert_eq!(sessions().await, [(browser, Value::Bool(true))]);
    expect_problem(other.get("/api/v1/me").await, 401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn without_the_token_of_this_browser_nothing_changes() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (reader, other) = (on_a_page(&server, &anna).await, on_a_page(&server, &anna).await);
    expect_problem(reader.send(adding(&reader)).await, 403, "CSRF_TOKEN_INVALID");
    for token in ["", "forged", &other.csrf()] {
        let request = adding(&reader).header("x-csrf-token", token);
        expect_problem(reader.send(request).await, 403, "CSRF_TOKEN_INVALID");
    }
    for site in ["cross-site", "same-site"] {
        let request = adding(&reader).header("x-csrf-token", reader.csrf());
        let request = request.header("sec-fetch-site", site);
        expect_problem(reader.send(request).await, 403, "CSRF_TOKEN_INVALID");
    }
    let delete = reader.request(Method::DELETE, "/api/v1/households/current/members/me");
    expect_problem(reader.send(delete).await, 403, "CSRF_TOKEN_INVALID");
    assert_eq!(anna.items("").await, [] as [Value; 0]);
    let request = adding(&reader).header("x-csrf-token", reader.csrf());
    reader.send(request.header("sec-fetch-site", "same-origin")).await.expect(201);
}

#[tokio::test]
async fn an_authorization_header_counts_alone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ken = server.with_household("ken").await;
    let reader = on_a_page(&server, &anna).await;
    let me = reader.request(Method::GET, "/api/v1/me").bearer_auth(ken.token());
    let me: Value = serde_json::from_str(&reader.send(me).await.expect(200).text).unwrap();
    assert_eq!(me["id"], ken.user_id.as_str());
    for header in ["Bearer forged", "Basic YTpi", "nonsense"] {
        let me = reader.request(Method::GET, "/api/v1/me").header("authorization", header);
        expect_problem(reader.send(me).await, 401, "UNAUTHENTICATED");
    }
    // A client that sends tokens needs none of a page, whatever its cookies.
    reader.send(adding(&reader).bearer_auth(ken.token())).await.expect(201);
    assert_eq!((anna.items("").await.len(), ken.items("").await.len()), (0, 1));
}

#[tokio::test]
async fn whoever_logged_out_is_refused_at_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = on_a_page(&server, &anna).await;
    let (cookie, token) = (reader.cookie("larder_session").unwrap(), reader.csrf());
    reader.get("/api/v1/me").await.expect(200);
    reader.post("/logout", &[]).await.expect(303);
    let kept = |method, path| {
        let request = Reader::new(&server).request(method, path);
        request.header("cookie", format!("larder_session={cookie}")).header("x-csrf-token", &token)
    };
    expect_problem(reader.send(kept(Method::GET, "/api/v1/me")).await, 401, "UNAUTHENTICATED");
    let add = kept(Method::POST, ITEMS).json(&milk());
    expect_problem(reader.send(add).await, 401, "UNAUTHENTICATED");
    assert_eq!(anna.items("").await, [] as [Value; 0]);
}

#[tokio::test]
async fn live_events_come_by_cookie_and_end_with_the_session() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = on_a_page(&server, &anna).await;
    let mut events = EventStream::open(reader.request(Method::GET, "/api/v1/events")).await;
    anna.add("Milk", 1, "L").await;
    assert_eq!(events.next().await.name, "ItemAdded");
    reader.post("/logout", &[]).await.expect(303);
    events.until_end().await;
}

#[tokio::test]
async fn a_cookie_is_no_refresh_token_and_trying_it_ends_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = on_a_page(&server, &anna).await;
    let cookie = reader.cookie("larder_session").unwrap();
    for text in [cookie.as_str(), cookie.trim_start_matches("b.")] {
        let body = json!({ "refreshToken": text });
        server
            .anonymous()
            .post("/auth/refresh", body.clone())
            .await
            .expect_problem(401, "UNAUTHENTICATED");
        server.anonymous().post("/auth/logout", body).await.expect(204);
    }
    reader.get("/api/v1/me").await.expect(200);
    let as_cookie = Reader::new(&server).request(Method::GET, "/api/v1/me");
    let as_cookie = as_cookie.header("cookie", format!("larder_session={}", anna.refresh_token));
    expect_problem(reader.send(as_cookie).await, 401, "UNAUTHENTICATED");
    server
        .anonymous()
        .post("/auth/refresh", json!({ "refreshToken": anna.refresh_token }))
        .await
        .expect(200);
}
