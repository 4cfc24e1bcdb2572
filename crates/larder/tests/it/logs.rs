//! Secrets that must never be in a log.

use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::it::support::{JWT_SECRET, Server, ServerSettings};

#[tokio::test]
async fn no_password_token_or_authorization_value_is_logged() {
    let settings = ServerSettings::default().with("LARDER_LOG_LEVEL", "trace");
    let mut server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let household = anna.get("/households/current").await.expect(200);
    anna.add("Rice", 1, "kg").await;
    let session =
        anna.post("/auth/refresh", json!({ "refreshToken": anna.refresh_token })).await.expect(200);
    let wrong = json!({ "email": anna.email, "password": "a wrong password, mistyped" });
    anna.post("/auth/login", wrong).await.expect_refusal(401);
    anna.with_token("forged-token-0123456789").get("/me").await.expect_refusal(401);
    let request = server.anonymous().request(Method::GET, "/me");
    let basic = request.header(header::AUTHORIZATION, "Basic c2VjcmV0OnNlY3JldA==");
    server.anonymous().send(basic).await.expect_refusal(401);
    let body = json!({ "name": "script", "scopes": ["read"] });
    let program = anna.post("/me/tokens", body).await.expect(201);
    let program = anna.with_token(program["token"].as_str().unwrap());
    program.get("/me").await.expect(200);
    program.post("/stores", json!({ "name": "Market" })).await.expect_refusal(403);
    // A secret in the wrong place: a URL that has no such parameter, and a body that isn't JSON.
    anna.get("/me?access_token=secret-in-the-query").await;
    anna.post_bytes("/auth/login", r#"{"password":"secret-in-bad-json"#).await.expect_refusal(400);
    assert!(server.terminate().await.success());

    let log = server.log();
    assert!(log.lines().count() > 5, "the log is there at all: {log}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for secret in [
        anna.password.clone(),
        "a wrong password, mistyped".to_owned(),
        anna.token().to_owned(),
        anna.token().rsplit('.').next().unwrap().to_owned(),
        anna.refresh_token.clone(),
        text(&session["accessToken"]),
        text(&session["refreshToken"]),
        text(&household["inviteCode"]),
        program.token().to_owned(),
        program.token()["larder_".len()..].to_owned(),
        "forged-token-0123456789".to_owned(),
        "c2VjcmV0OnNlY3JldA==".to_owned(),
        "secret-in-the-query".to_owned(),
        "secret-in-bad-json".to_owned(),
        JWT_SECRET.to_owned(),
    ] {
        assert!(!log.contains(&secret), "{secret:?} is in the log");
    }
}

#[tokio::test]
async fn every_line_of_the_json_log_is_json_and_names_the_request() {
    let settings = ServerSettings::default().with("LARDER_LOG_LEVEL", "debug");
    let mut server = Server::start_with(settings).await;
    let anna = server.register("anna").await;
    let request = anna.request(Method::GET, "/me").header("X-Request-Id", "find-me-in-the-log");
    anna.send(request).await.expect(200);
    assert!(server.terminate().await.success());
    let log = server.log();
    for line in log.lines() {
        let parsed: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        assert!(parsed.is_object());
    }
    assert!(log.lines().next().unwrap().contains("listening"));
    assert!(log.contains("find-me-in-the-log"));
}
