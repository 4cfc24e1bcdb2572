//! Access tokens that must not work.

use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::it::support::{
    Client, JWT_SECRET, Server,
    forge::{claims_of, header_of, hs256, hs384, signed_like, unsigned},
};

async fn assert_refused(anna: &Client, token: &str) {
    let answer = anna.with_token(token).get("/me").await;
    answer.expect_problem(401, "UNAUTHENTICATED");
    assert!(answer.header("www-authenticate").starts_with("Bearer"), "RFC 9110 asks for it");
}

fn with_claim(token: &str, name: &str, value: Value) -> Value {
    let mut claims = claims_of(token);
    claims[name] = value;
    claims
}

/// The control for all the others: a correctly signed token is accepted.
#[tokio::test]
async fn a_token_signed_with_the_servers_secret_is_accepted() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let copy = signed_like(anna.token(), &claims_of(anna.token()));
    let me = anna.with_token(&copy).get("/me").await.expect(200);
    assert_eq!(me["id"], anna.user_id.as_str());
}

#[tokio::test]
async fn an_access_token_lives_fifteen_minutes() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let claims = claims_of(anna.token());
    let (issued, expires) = (claims["iat"].as_i64().unwrap(), claims["exp"].as_i64().unwrap());
    assert_eq!(expires - issued, 900);
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let issued = claims_of(anna.token())["iat"].as_i64().unwrap();
    let expired = with_claim(anna.token(), "exp", json!(issued - 120));
    assert_refused(&anna, &signed_like(anna.token(), &expired)).await;
}

#[tokio::test]
async fn a_token_without_an_expiry_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let mut claims = claims_of(anna.token());
    claims.as_object_mut().unwrap().remove("exp");
    assert_refused(&anna, &signed_like(anna.token(), &claims)).await;
}

#[tokio::test]
async fn a_forged_signature_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let claims = claims_of(anna.token());
    let header = header_of(anna.token());
    assert_refused(&anna, &hs256(&header, &claims, "some other secret, as long as it may be"))
        .await;
    assert_refused(&anna, &hs256(&header, &claims, "")).await;
    let (signed, signature) = anna.token().rsplit_once('.').unwrap();
    let flipped: String = signature.chars().rev().collect();
    assert_refused(&anna, &format!("{signed}.{flipped}")).await;
}

#[tokio::test]
async fn claims_changed_under_an_old_signature_are_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let ben = server.register("ben").await;
    let parts: Vec<_> = anna.token().split('.').collect();
    let bens_claims = ben.token().split('.').nth(1).unwrap();
    assert_refused(&anna, &format!("{}.{bens_claims}.{}", parts[0], parts[2])).await;
}

#[tokio::test]
async fn an_algorithm_nobody_asked_for_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let claims = claims_of(anna.token());
    for algorithm in ["none", "None", "NONE", "", "HS256"] {
        assert_refused(&anna, &unsigned(algorithm, &claims)).await;
    }
    assert_refused(&anna, &hs384(&claims)).await;
    for algorithm in ["RS256", "ES256", "HS512"] {
        let header = json!({ "alg": algorithm, "typ": "JWT" });
        assert_refused(&anna, &hs256(&header, &claims, JWT_SECRET)).await;
    }
}

#[tokio::test]
async fn garbage_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for token in ["garbage", "a.b.c", "..", ".", "e30.e30.e30", &"x".repeat(6000)] {
        assert_refused(&anna, token).await;
    }
    assert_refused(&anna, &anna.refresh_token).await;
}

#[tokio::test]
async fn a_missing_or_other_kind_of_credential_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let nobody = server.anonymous();
    nobody.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    for value in ["", "Bearer", "Bearer ", "Basic YTpi", anna.token()] {
        let request = nobody.request(Method::GET, "/me").header(header::AUTHORIZATION, value);
        nobody.send(request).await.expect_problem(401, "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn a_token_for_a_user_who_does_not_exist_is_refused() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let nobody = json!("00000000-0000-4000-8000-000000000000");
    let claims = with_claim(anna.token(), "sub", nobody);
    assert_refused(&anna, &signed_like(anna.token(), &claims)).await;
}
