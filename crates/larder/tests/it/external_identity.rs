//! Users with the token of an external issuer.
//!
//! The tokens were signed once, with a discarded key, and are valid until the year 2100. The checks
//! of claims have unit tests; here it is the settings and the creation of accounts.

use std::fs;

use serde_json::{Value, json};

use crate::it::support::{Server, ServerSettings, StoreUnderTest};

/// For `mia@example.com`, by `https://id.example`, for `larder`.
const GOOD: &str = "\
    eyJhbGciOiJFUzI1NiIsImtpZCI6InRlc3QiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wb\
    GUiLCJhdWQiOiJsYXJkZXIiLCJzdWIiOiJtaWEtMSIsImVtYWlsIjoibWlhQGV4YW1wbGUuY29tIiwiZW1haWxfd\
    mVyaWZpZWQiOnRydWUsIm5hbWUiOiJNaWEiLCJleHAiOjQxMDI0NDQ4MDB9.PhsQyN9efsheVmDu3Z1MVSGl2BND\
    1Clj91FR1dF3E8dyOF0fFcViuFGYi2oCO7jo2h0xkCtMClXuxFcU2kFBfw";
/// The same person and issuer, but for another audience.
const FOR_ANOTHER_SERVICE: &str = "\
    eyJhbGciOiJFUzI1NiIsImtpZCI6InRlc3QiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wb\
    GUiLCJhdWQiOiJzb21lb25lLWVsc2UiLCJzdWIiOiJtaWEtMSIsImVtYWlsIjoibWlhQGV4YW1wbGUuY29tIiwiZ\
    W1haWxfdmVyaWZpZWQiOnRydWUsIm5hbWUiOiJNaWEiLCJleHAiOjQxMDI0NDQ4MDB9.c44I8ZI45rasWhnkRkqR\
    8lhJ9j_qNZxPLg-JTXfaJws9chUaVFWi5f_jbPbe-644yWSi-l0npQI_-ovqprV2-Q";
/// Signed with the right key in the name of another issuer.
const OF_ANOTHER_ISSUER: &str = "\
    eyJhbGciOiJFUzI1NiIsImtpZCI6InRlc3QiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL290aGVyLmV4Y\
    W1wbGUiLCJhdWQiOiJsYXJkZXIiLCJzdWIiOiJtaWEtMSIsImVtYWlsIjoibWlhQGV4YW1wbGUuY29tIiwiZW1ha\
    WxfdmVyaWZpZWQiOnRydWUsIm5hbWUiOiJNaWEiLCJleHAiOjQxMDI0NDQ4MDB9.Mbc2Nd0YkyxJ29O7-Bh65tVU\
    uT6TEwlG_VbYEDIqzVaiZGA699JQHJjsHdkL-xzYlHJMa1OfSJzTwZJ9LQBndw";

fn published_keys() -> Value {
    json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "kid": "test", "alg": "ES256", "use": "sig",
        "x": "AUjLmlJ0Ey2_Te1THZPdc_RjkIs7HgmiM9aKPt35VKo",
        "y": "Ltve1o1Oc0hv2vls4_J8tgagHkimnols79qVgxUfEyk",
    }] })
}

/// A server that trusts the issuer.
async fn trusting_server() -> Server {
    let store = StoreUnderTest::fresh().await;
    let keys = store.scratch().join("jwks.json");
    fs::write(&keys, published_keys().to_string()).unwrap();
    let settings = ServerSettings::default()
        .with("LARDER_OIDC_ISSUER", "https://id.example")
        .with("LARDER_OIDC_AUDIENCE", "larder")
        .with("LARDER_OIDC_JWKS", keys.to_str().unwrap());
    Server::start_on(store, settings).await
}

#[tokio::test]
async fn a_token_of_the_trusted_issuer_is_an_account_of_its_own() {
    let server = trusting_server().await;
    let mia = server.anonymous().with_token(GOOD);
    let me = mia.get("/me").await.expect(200);
    assert_eq!((&me["email"], &me["name"]), (&json!("mia@example.com"), &json!("Mia")));
    assert_eq!(mia.get("/me").await.expect(200)["id"], me["id"], "the same account every time");
    mia.create_household("Mia's").await;
    mia.add("Rice", 1, "kg").await;
    assert_eq!(mia.items("").await[0]["createdBy"], me["id"]);

    let anna = server.register("anna").await;
    assert_eq!(anna.get("/me").await.expect(200)["name"], "anna", "own accounts work beside it");
}

#[tokio::test]
async fn a_token_for_or_by_someone_else_is_refused() {
    let server = trusting_server().await;
    for token in [FOR_ANOTHER_SERVICE, OF_ANOTHER_ISSUER] {
        let answer = server.anonymous().with_token(token).get("/me").await;
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn without_the_setting_no_outside_issuer_is_trusted() {
    let server = Server::start().await;
    let answer = server.anonymous().with_token(GOOD).get("/me").await;
    answer.expect_problem(401, "UNAUTHENTICATED");
}
