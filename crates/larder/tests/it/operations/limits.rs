//! Rate limits, which all other tests turn off.

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

#[tokio::test]
async fn guessing_invite_codes_is_slowed_down() {
    let server = limited_server().await;
    let anna = server.register("anna").await;
    let body = json!({ "inviteCode": "ABCDEFGHJKLM" });
    let (let_through, answer) = until_limited(&anna, "/households/join", body, 404).await;
    assert!(let_through >= 3, "a typing mistake is no attack: only {let_through} let through");
    assert_limited(&answer);
}
