use futures_util::future::join_all;
use serde_json::{Value, json};

use super::*;
use crate::tokens::testing::{FakeIssuer, ec_jwk, rsa_jwk};

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn after(seconds: i64) -> Timestamp {
    NOW + SignedDuration::from_secs(seconds)
}

fn of(issuer: &Arc<FakeIssuer>) -> Discovery {
    Discovery::new(FakeIssuer::ISSUER.to_owned(), Arc::clone(issuer) as _)
}

#[tokio::test]
async fn endpoints_and_keys_are_found_with_one_fetch() {
    let issuer = FakeIssuer::publishing(&[ec_jwk("a")]);
    let discovery = of(&issuer);
    assert!(discovery.find_key("a", NOW).await.is_some());
    let endpoints = discovery.endpoints(NOW).await.unwrap();
    assert_eq!(endpoints.authorization.as_str(), "https://id.example/authorize?tenant=1");
    assert_eq!(endpoints.token, "https://id.example/token");
    assert_eq!(endpoints.user_info.as_deref(), Some("https://id.example/me"));
    assert_eq!(issuer.fetches(), 1);
    assert!(!discovery.is_failing());
}

#[tokio::test]
async fn a_rotated_key_is_found_and_a_withdrawn_one_refused() {
    let issuer = FakeIssuer::publishing(&[ec_jwk("old")]);
    let discovery = of(&issuer);
    assert!(discovery.find_key("old", NOW).await.is_some());
    issuer.publish(&[rsa_jwk("new")]);
    // Not before its time: the token may be made up.
    assert!(discovery.find_key("new", after(9)).await.is_none());
    assert!(discovery.find_key("new", after(10)).await.is_some());
    assert!(discovery.find_key("old", after(10)).await.is_none());
}

#[tokio::test]
async fn a_token_from_the_issuer_itself_may_name_a_key_of_this_moment() {
    let issuer = FakeIssuer::publishing(&[ec_jwk("old")]);
    let discovery = of(&issuer);
    assert!(discovery.find_new_key("old", NOW).await.is_some());
    issuer.publish(&[rsa_jwk("new")]);
    assert!(discovery.find_new_key("new", after(1)).await.is_some());
    assert_eq!(issuer.fetches(), 2);
}

#[tokio::test]
async fn made_up_keys_do_not_make_us_ask_all_the_time() {
    let issuer = FakeIssuer::publishing(&[ec_jwk("a")]);
    let discovery = of(&issuer);
    for second in 0..60 {
        assert!(discovery.find_key(&format!("made up {second}"), after(second)).await.is_none());
    }
    assert_eq!(issuer.fetches(), 6, "every ten seconds");
    let names: Vec<_> = (0..50).map(|n| format!("more {n}")).collect();
    let finding = names.iter().map(|name| discovery.find_key(name, after(100)));
    assert!(join_all(finding).await.iter().all(Option::is_none));
    assert_eq!(issuer.fetches(), 7, "many at once wait for one fetch");
}

#[tokio::test]
async fn what_was_fetched_is_kept_for_an_hour_and_longer_if_the_issuer_is_down() {
    let issuer = FakeIssuer::publishing(&[ec_jwk("a")]);
    let discovery = of(&issuer);
    assert!(discovery.find_key("a", NOW).await.is_some());
    assert!(discovery.find_key("a", after(3599)).await.is_some());
    assert_eq!(issuer.fetches(), 1);
    issuer.go_down();
    assert!(discovery.find_key("a", after(3600)).await.is_some());
    assert!(discovery.is_failing());
    assert!(discovery.find_key("a", after(100_000)).await.is_some());
    assert!(discovery.endpoints(after(100_000)).await.is_some());

    // It is back, with another key.
    issuer.configure(&FakeIssuer::configuration());
    issuer.publish(&[ec_jwk("b")]);
    assert!(discovery.find_key("a", after(100_060)).await.is_none());
    assert!(discovery.find_key("b", after(100_060)).await.is_some());
    assert!(!discovery.is_failing());
}

#[tokio::test]
async fn an_issuer_that_is_down_at_first_is_asked_every_ten_seconds() {
    let issuer = Arc::new(FakeIssuer::default());
    let discovery = of(&issuer);
    let url = "https://id.example/application/larder/.well-known/openid-configuration";
    for second in 0..20 {
        assert!(discovery.endpoints(after(second)).await.is_none());
        assert!(discovery.is_failing());
    }
    assert_eq!(issuer.count(url), 2);
    issuer.configure(&FakeIssuer::configuration());
    issuer.publish(&[ec_jwk("a")]);
    assert!(discovery.endpoints(after(20)).await.is_some());
}

#[tokio::test]
async fn a_configuration_of_another_issuer_or_without_tls_is_refused() {
    let with = |name: &str, value: Value| {
        let mut configuration = FakeIssuer::configuration();
        configuration[name] = value;
        configuration
    };
    let without_slash = FakeIssuer::ISSUER.trim_end_matches('/');
    for (configuration, is_good) in [
        (with("issuer", json!(without_slash)), false),
        (with("issuer", json!("https://evil.example/")), false),
        (with("token_endpoint", json!("http://id.example/token")), false),
        (with("token_endpoint", json!("/token")), false),
        (with("jwks_uri", json!("http://keys.example/jwks")), false),
        (with("jwks_uri", Value::Null), false),
        (with("authorization_endpoint", json!("javascript:alert(1)")), false),
        (with("userinfo_endpoint", json!("http://id.example/me")), false),
        (with("userinfo_endpoint", Value::Null), true),
        (with("token_endpoint", json!("http://127.0.0.1:9/token")), true),
        (json!([]), false),
    ] {
        let issuer = FakeIssuer::publishing(&[ec_jwk("a")]);
        issuer.configure(&configuration);
        let endpoints = of(&issuer).endpoints(NOW).await;
        assert_eq!(endpoints.is_some(), is_good, "{configuration}");
    }
}
