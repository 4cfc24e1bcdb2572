//! Tokens for programs: making, using and revoking them, and where they are good for nothing.

use std::collections::BTreeSet;

use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::it::support::{Client, Server, ServerSettings, eventually, id_of, tags_of};

const ALL: [&str; 6] = ["read", "stock", "shopping", "devices", "things", "admin"];

/// This person's program, and the token as the list shows it.
async fn program(person: &Client, scopes: &[&str]) -> (Client, Value) {
    let body = json!({ "name": "script", "scopes": scopes });
    let mut made = person.post("/me/tokens", body).await.expect(201);
    let text = made.as_object_mut().unwrap().remove("token").unwrap();
    (person.with_token(text.as_str().unwrap()), made)
}

async fn tokens(person: &Client) -> Vec<Value> {
    person.all_pages("/me/tokens", "limit=2").await
}

async fn revoke(person: &Client, token: &Value) {
    person.delete(&format!("/me/tokens/{}", id_of(token))).await.expect(204);
}

#[tokio::test]
async fn a_token_is_shown_once_listed_newest_first_and_revoked_at_once() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    assert_eq!(tokens(&anna).await, [] as [Value; 0]);
    let body = json!({
        "name": "Home Assistant", "scopes": ["stock", "read", "stock"],
        "expiresAt": "2999-12-31T23:00:00.1239+01:00",
    });
    let answer = anna.post("/me/tokens", body).await;
    let mut first = answer.expect(201);
    assert_eq!(answer.header("cache-control"), "no-store");
    let text = first.as_object_mut().unwrap().remove("token").unwrap();
    let text = text.as_str().unwrap();
    assert!(text.starts_with("larder_") && text.len() == 95, "{text}");
    assert_eq!(first["scopes"], json!(["read", "stock"]));
    assert_eq!(first["expiresAt"], "2999-12-31T22:00:00.123Z");
    assert_eq!((&first["name"], &first["lastUsedAt"]), (&json!("Home Assistant"), &Value::Null));
    assert_eq!(first.as_object().unwrap().len(), 6, "{first}");

    let (_, second) = program(&anna, &["read"]).await;
    let (_, third) = program(&anna, &["shopping"]).await;
    assert_eq!(second["expiresAt"], Value::Null);
    assert_eq!(tokens(&anna).await, [&third, &second, &first].map(Clone::clone));
    assert_eq!(tokens(&ben).await, [] as [Value; 0]);

    let home_assistant = server.anonymous().with_token(text);
    assert_eq!(home_assistant.get("/me").await.expect(200)["id"], anna.user_id.as_str());
    let used = eventually("the use is listed", async || {
        let listed = tokens(&anna).await.pop().unwrap();
        listed["lastUsedAt"].is_string().then_some(listed)
    })
    .await;
    assert_eq!(used["id"], first["id"]);

    let path = format!("/me/tokens/{}", id_of(&first));
    ben.delete(&path).await.expect_problem(404, "TOKEN_NOT_FOUND");
    home_assistant.get("/me").await.expect(200);
    anna.delete(&path).await.expect(204);
    home_assistant.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    anna.delete(&path).await.expect_problem(404, "TOKEN_NOT_FOUND");
    anna.delete("/me/tokens/mine").await.expect_problem(404, "TOKEN_NOT_FOUND");
    assert_eq!(tokens(&anna).await, [third, second]);
}

#[tokio::test]
async fn a_token_needs_a_name_and_scopes_and_a_future() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let with = |field: &str, value: Value| {
        let mut body = json!({ "name": "script", "scopes": ["read"] });
        body[field] = value;
        body
    };
    for (field, value) in [
        ("name", json!(null)),
        ("name", json!(" ")),
        ("name", json!("x".repeat(101))),
        ("scopes", json!(null)),
        ("scopes", json!([])),
        ("scopes", json!("read")),
        ("scopes", json!(["read", "write"])),
        ("scopes", json!(["READ"])),
        ("expiresAt", json!("2020-01-01T00:00:00Z")),
        ("expiresAt", json!("2031-01-01")),
        ("expiresAt", json!("tomorrow")),
        ("expiresAt", json!(1_900_000_000)),
    ] {
        let answer = anna.post("/me/tokens", with(field, value.clone())).await;
        assert_eq!(answer.status, 400, "{field} {value}: {}", answer.text);
        answer.expect_invalid_field(field);
    }
    anna.post("/me/tokens", with("scope", json!("read")))
        .await
        .expect_field_error("UNKNOWN_FIELD", "scope");
    assert_eq!(tokens(&anna).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_person_has_at_most_fifty_tokens() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let (_, first) = program(&anna, &["read"]).await;
    for _ in 1..50 {
        program(&anna, &["read"]).await;
    }
    let body = json!({ "name": "script", "scopes": ["read"] });
    let refused = anna.post("/me/tokens", body).await;
    let problem = refused.expect_problem(403, "QUOTA_EXCEEDED");
    assert_eq!(problem["limit"], 50);
    assert!(problem["detail"].as_str().unwrap().contains("revoke one"), "{problem}");
    revoke(&anna, &first).await;
    program(&anna, &["read"]).await;
    program(&server.register("ben").await, &["read"]).await;
}

#[tokio::test]
async fn no_token_makes_tokens_or_touches_passwords_and_sessions() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (script, token) = program(&anna, &ALL).await;
    let sessions = anna.all_pages("/me/sessions", "").await;
    let new = json!({ "name": "another", "scopes": ["read"] });
    let password = json!({ "current": anna.password, "new": "a new and longer password" });
    for answer in [
        script.post("/me/tokens", new).await,
        script.get("/me/tokens").await,
        script.delete(&format!("/me/tokens/{}", id_of(&token))).await,
        script.post("/me/password", password).await,
        script.get("/me/sessions").await,
        script.delete(&format!("/me/sessions/{}", id_of(&sessions[0]))).await,
    ] {
        answer.expect_problem(403, "LOGIN_REQUIRED");
    }
    let (id, listed) = (id_of(&token), tokens(&anna).await);
    assert_eq!(listed.iter().map(id_of).collect::<Vec<_>>(), [id]);
    assert_eq!(anna.all_pages("/me/sessions", "").await, sessions);
    let login = json!({ "email": anna.email, "password": anna.password });
    anna.post("/auth/login", login).await.expect(200);
}

#[tokio::test]
async fn a_token_is_no_cookie_no_refresh_token_no_api_key_and_not_the_operators() {
    let settings = ServerSettings::default()
        .with("LARDER_OPERATOR_TOKEN", "operator-token-0123456789abcdefgh");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let (script, _) = program(&anna, &ALL).await;
    let (text, nobody) = (script.token(), server.anonymous());
    script.get("/me").await.expect(200);
    for cookie in [text.to_owned(), format!("b.{text}"), format!("b.{}", &text[7..])] {
        let cookie = format!("larder_session={cookie}");
        let api = nobody.request(Method::GET, "/me").header(header::COOKIE, &cookie);
        nobody.send(api).await.expect_problem(401, "UNAUTHENTICATED");
        let page = nobody.request_root(Method::GET, "/stock").header(header::COOKIE, &cookie);
        let page = nobody.send(page).await;
        assert!(!page.text.contains(&anna.email), "{}", page.text);
    }
    let pages = script.get_root("/me").await;
    assert!(!pages.text.contains(&anna.email), "pages take cookies only");
    for refresh in [text, &text[7..]] {
        let body = json!({ "refreshToken": refresh });
        nobody.post("/auth/refresh", body.clone()).await.expect_problem(401, "UNAUTHENTICATED");
        nobody.post("/auth/logout", body).await.expect(204);
    }
    for key in [text, &text[7..]] {
        let device = nobody.request_root(Method::POST, "/device/data").header("X-API-Key", key);
        let device = device.json(&json!({ "readings": [] }));
        nobody.send(device).await.expect_problem(401, "INVALID_API_KEY");
    }
    for bearer in [&text[7..], &text.to_uppercase(), &format!("{text}A"), &text[..94], "larder_"] {
        nobody.with_token(bearer).get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    }
    for path in [format!("/me?token={text}"), format!("/me?access_token={text}")] {
        nobody.get(&path).await.expect_problem(401, "UNAUTHENTICATED");
    }
    // It lists her household's devices, and not the operator's.
    assert_eq!(script.get("/devices").await.expect(200)["items"], json!([]));
    script.get("/me").await.expect(200);
}

#[tokio::test]
async fn a_program_is_shown_what_works_like_a_key_only_if_it_may_administrate() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let household = anna.get("/households/current").await.expect(200);
    let code = household["inviteCode"].as_str().unwrap();
    let item = anna.add("Rice", 1, "kg").await;
    let tag = anna.add_tag(&item, json!({})).await;
    let url = tag["urlId"].as_str().unwrap();
    let (reading, _) = program(&anna, &ALL[..5]).await;
    let (administrating, _) = program(&anna, &["read", "admin"]).await;
    for (person, sees) in [(&reading, false), (&administrating, true), (&anna, true)] {
        let shown = person.get("/households/current").await.expect(200);
        assert_eq!(shown["inviteCode"].as_str(), sees.then_some(code));
        let export = person.get("/me/export").await;
        assert_eq!(export.status, 200);
        assert_eq!(export.text.contains(code), sees);
        assert!(export.text.contains("Rice") && !export.text.contains(url));
        for path in ["/nfc-urls".to_owned(), tags_of(&item)] {
            let answer = person.get(&path).await;
            assert_eq!(answer.status, if sees { 200 } else { 403 }, "{path}");
            assert_eq!(answer.text.contains(url), sees);
        }
    }
}

#[tokio::test]
async fn a_token_has_the_rights_that_its_person_has_now() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    let (script, token) = program(&ben, &ALL).await;
    script.get("/households/current").await.expect_problem(404, "NO_HOUSEHOLD");
    ben.join(&anna).await;
    script.get("/households/current").await.expect(200);
    let renew = async || script.post("/households/current/invite-code", json!({})).await;
    renew().await.expect_problem(403, "ADMIN_REQUIRED");
    let member = format!("/households/current/members/{}", ben.user_id);
    anna.patch(&member, json!({ "role": "admin" })).await.expect(200);
    renew().await.expect(200);
    anna.patch(&member, json!({ "role": "member" })).await.expect(200);
    renew().await.expect_problem(403, "ADMIN_REQUIRED");

    // Its changes are his.
    let rice = script.add("Rice", 1, "kg").await;
    let history = anna.get(&format!("/inventory/items/{}/history", id_of(&rice))).await.expect(200);
    assert_eq!(history["items"][0]["by"], ben.user_id.as_str());
    anna.delete(&member).await.expect(204);
    script.get(&format!("/inventory/items/{}", id_of(&rice))).await.expect(404);
    script.get("/me").await.expect(200);
    revoke(&ben, &token).await;
    script.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn requests_of_a_program_can_be_repeated_like_others() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (script, _) = program(&anna, &["stock"]).await;
    let rice = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    let first = script.post_once("/inventory/items", "key-1", &rice).await.expect(201);
    assert_eq!(script.post_once("/inventory/items", "key-1", &rice).await.expect(201), first);
    assert_eq!(script.items("").await.len(), 1);
    // A result is no way around the scope.
    let (reading, _) = program(&anna, &["read"]).await;
    reading
        .post_once("/inventory/items", "key-1", &rice)
        .await
        .expect_problem(403, "SCOPE_REQUIRED");
    // A new token is never repeated, because it is not stored.
    let body = json!({ "name": "script", "scopes": ["read"] });
    let mut texts = BTreeSet::new();
    for _ in 0..2 {
        let made = anna.post_once("/me/tokens", "key-2", &body).await.expect(201);
        texts.insert(made["token"].as_str().unwrap().to_owned());
    }
    assert_eq!(texts.len(), 2);
}

#[tokio::test]
async fn a_stream_of_events_ends_when_its_token_is_revoked() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (script, token) = program(&anna, &["read"]).await;
    let mut stream = script.events(None).await;
    anna.add("Rice", 1, "kg").await;
    stream.until(|event| event.name == "ItemAdded").await;
    revoke(&anna, &token).await;
    stream.until_end().await;
}

#[tokio::test]
async fn a_new_password_revokes_tokens() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let (script, _) = program(&anna, &ALL).await;
    script.get("/me").await.expect(200);
    let body = json!({ "current": anna.password, "new": "a new and longer password" });
    anna.post("/me/password", body).await.expect(204);
    script.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
}
