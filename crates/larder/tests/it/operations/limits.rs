//! Rate limits, which all other tests turn off.

use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, Server, ServerSettings};

/// More than any sensible limit allows at once.
const ATTEMPTS: usize = 200;

async fn limited_server() -> Server {
    Server::start_with(ServerSettings::default().with("LARDER_RATE_LIMITS", "on")).await
}

/// Repeats a request that is refused with `expected` until it is refused for being too frequent.
async fn until_limited(client: &Client, path: &str, body: Value, expected: u16) -> (usize, Answer) {
    for attempt in 0..ATTEMPTS {
        let answer = client.post(path, body.clone()).await;
        if answer.status == 429 {
            return (attempt, answer);
        }
        answer.expect_refusal(expected);
    }
    panic!("{ATTEMPTS} attempts at {path} were all let through");
}

fn assert_limited(answer: &Answer) {
    answer.expect_problem(429, "RATE_LIMITED");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=3600).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn guessing_passwords_is_slowed_down() {
    let server = limited_server().await;
    let anna = server.register("anna").await;
    let body = json!({ "email": anna.email, "password": "a guess" });
    let (let_through, answer) = until_limited(&server.anonymous(), "/auth/login", body, 401).await;
    assert!(let_through >= 3, "a typing mistake is no attack: only {let_through} let through");
    assert_limited(&answer);
}

/// Logs in through the proxy that this machine is, on behalf of a client.
async fn log_in_from(server: &Server, client: &str, email: &str, password: &str) -> Answer {
    let anonymous = server.anonymous();
    let request = anonymous.request(Method::POST, "/auth/login").header("X-Forwarded-For", client);
    anonymous.send(request.json(&json!({ "email": email, "password": password }))).await
}

#[tokio::test]
async fn a_stranger_who_guesses_does_not_keep_the_owner_out() {
    let settings = ServerSettings::default()
        .with("LARDER_RATE_LIMITS", "on")
        .with("LARDER_TRUSTED_PROXY", "127.0.0.1");
    let server = Server::start_with(settings).await;
    let anna = server.register("anna").await;
    for attempt in 0..15 {
        let answer = log_in_from(&server, "192.0.2.1", &anna.email, "a guess").await;
        assert_eq!(answer.status, 401, "{attempt}");
    }
    assert_limited(&log_in_from(&server, "192.0.2.1", &anna.email, "a guess").await);
    assert_limited(&log_in_from(&server, "192.0.2.1", &anna.email, &anna.password).await);
    log_in_from(&server, "192.0.2.2", &anna.email, &anna.password).await.expect(200);
}

#[tokio::test]
async fn logging_in_correctly_is_never_too_often() {
    let server = limited_server().await;
    let anna = server.register("anna").await;
    let body = json!({ "email": anna.email, "password": anna.password });
    for _ in 0..20 {
        server.anonymous().post("/auth/login", body.clone()).await.expect(200);
    }
}

#[tokio::test]
async fn a_failed_login_is_one_line_of_the_log_with_the_clients_address() {
    for (format, level) in [("json", "info"), ("pretty", "info"), ("pretty", "debug")] {
        let settings = ServerSettings::default()
            .with("LARDER_LOG", format)
            .with("LARDER_LOG_LEVEL", level)
            .with("LARDER_TRUSTED_PROXY", "127.0.0.1");
        let mut server = Server::start_with(settings).await;
        let anna = server.register("anna").await;
        log_in_from(&server, "192.0.2.1", &anna.email, &anna.password).await.expect(200);
        log_in_from(&server, "192.0.2.7", &anna.email, "not her password").await.expect(401);
        log_in_from(&server, "2001:db8::7", "nobody at all", "x").await.expect(401);
        assert!(server.terminate().await.success());
        let log = server.log();
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("login failed")).collect();
        assert_eq!(lines.len(), 2, "{log}");
        // As docs/accounts.md shows them to operators.
        for (line, address) in lines.iter().zip(["192.0.2.7", "2001:db8::7"]) {
            let is_matched = if format == "json" {
                line.contains(&format!(r#""message":"login failed","address":"{address}""#))
            } else {
                line.ends_with(&format!("larder_http::login: login failed address={address}"))
            };
            assert!(is_matched, "{line}");
        }
        for private in [anna.email.as_str(), "not her password", "nobody at all"] {
            assert!(!log.contains(private), "{private:?} is in the log");
        }
    }
}

#[tokio::test]
async fn guessing_invite_codes_is_slowed_down() {
    let server = limited_server().await;
    let anna = server.register("anna").await;
    let body = json!({ "inviteCode": "ABCDEFGHJKLM" });
    let (let_through, answer) = until_limited(&anna, "/households/join", body, 404).await;
    assert!(let_through >= 3, "a typing mistake is no attack: only {let_through} let through");
    assert_limited(&answer);
}
