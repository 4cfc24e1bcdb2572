//! Validation of external tokens, end to end through [`Tokens`].

use std::{fs, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::json;

use super::*;
use crate::{
    ExternalIssuer, IssuerKeySource, SettingsError,
    tokens::{
        OWN_ISSUER, Proof, Tokens,
        testing::{FakeIssuer, ec_jwk, ec_key, jwks, rsa_jwk, rsa_key},
    },
};

const ISSUER: &str = "https://id.example";
const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

struct Issuer {
    tokens: Tokens,
    _directory: tempfile::TempDir,
}

fn issuer() -> Issuer {
    let directory = tempfile::tempdir().unwrap();
    let jwks_path = directory.path().join("jwks.json");
    fs::write(&jwks_path, jwks(&[rsa_jwk("r"), ec_jwk("e")])).unwrap();
    let (audience, keys) = (Some("larder".to_owned()), IssuerKeySource::File(jwks_path));
    let settings = ExternalIssuer { issuer: ISSUER.to_owned(), audience, keys };
    let tokens = Tokens::new(&[7; 32], Some(settings), NOW).unwrap();
    Issuer { tokens, _directory: directory }
}

fn claims() -> Value {
    json!({
        "iss": ISSUER, "sub": "mia", "aud": ["larder", "other"], "exp": NOW.as_second() + 60,
        "email": "mia@example.com", "name": "Mia",
    })
}

fn with(claim: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[claim] = value;
    claims
}

fn sign(algorithm: Algorithm, kid: Option<&str>, claims: &Value, key: &EncodingKey) -> String {
    let header = Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) };
    jsonwebtoken::encode(&header, claims, key).unwrap()
}

fn es256(claims: &Value) -> String {
    sign(Algorithm::ES256, Some("e"), claims, &ec_key())
}

async fn person(issuer: &Issuer, token: &str) -> Option<VouchedFor> {
    match issuer.tokens.verify(token, NOW).await {
        Ok(Proof::External(person)) => Some(person),
        Ok(Proof::Own(owner)) => panic!("{owner:?} is not external"),
        Err(InvalidToken) => None,
    }
}

#[tokio::test]
async fn both_algorithms_are_accepted() {
    let issuer = issuer();
    let mia = VouchedFor {
        identity: ExternalIdentity { issuer: ISSUER.to_owned(), subject: "mia".to_owned() },
        email: Some(Email::parse("mia@example.com").unwrap()),
        name: Some(PersonName::parse("Mia").unwrap()),
    };
    let rs256 = sign(Algorithm::RS256, Some("r"), &claims(), &rsa_key());
    assert_eq!(person(&issuer, &rs256).await.as_ref(), Some(&mia));
    assert_eq!(person(&issuer, &es256(&claims())).await.as_ref(), Some(&mia));
}

#[tokio::test]
async fn the_key_decides_the_algorithm() {
    let issuer = issuer();
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let none = json!({ "alg": "none", "kid": "r" });
    let public_modulus = rsa_jwk("r")["n"].as_str().unwrap().to_owned();
    let as_secret = EncodingKey::from_secret(public_modulus.as_bytes());
    for refused in [
        sign(Algorithm::RS512, Some("r"), &claims(), &rsa_key()),
        sign(Algorithm::PS256, Some("r"), &claims(), &rsa_key()),
        sign(Algorithm::RS256, Some("e"), &claims(), &rsa_key()),
        sign(Algorithm::ES256, Some("r"), &claims(), &ec_key()),
        sign(Algorithm::ES256, Some("unknown"), &claims(), &ec_key()),
        sign(Algorithm::ES256, None, &claims(), &ec_key()),
        sign(Algorithm::HS256, Some("r"), &claims(), &as_secret),
        // Our own secret does not sign for them either.
        sign(Algorithm::HS256, Some("r"), &claims(), &EncodingKey::from_secret(&[7; 32])),
        format!("{}.{}.", part(none), part(claims())),
    ] {
        assert_eq!(person(&issuer, &refused).await, None, "{refused}");
    }
}

#[tokio::test]
async fn an_altered_token_is_refused() {
    let issuer = issuer();
    let token = es256(&claims());
    let parts: Vec<_> = token.split('.').collect();
    let other = URL_SAFE_NO_PAD.encode(with("sub", json!("ben")).to_string());
    assert!(person(&issuer, &token).await.is_some());
    assert_eq!(person(&issuer, &format!("{}.{other}.{}", parts[0], parts[2])).await, None);
}

#[tokio::test]
async fn critical_extensions_are_not_understood() {
    let header = Header {
        kid: Some("e".into()),
        crit: Some(vec!["b64".into()]),
        ..Header::new(Algorithm::ES256)
    };
    let token = jsonwebtoken::encode(&header, &claims(), &ec_key()).unwrap();
    assert_eq!(person(&issuer(), &token).await, None);
}

#[tokio::test]
async fn its_time_must_be_now() {
    let issuer = issuer();
    let now = NOW.as_second();
    for (claim, value, is_accepted) in [
        ("exp", json!(now + 1), true),
        ("exp", json!(1_800_000_000.5), true),
        ("exp", json!(now), false),
        ("exp", json!(-1), false),
        ("exp", json!(1e300), false),
        ("exp", json!("soon"), false),
        ("exp", Value::Null, false),
        ("nbf", json!(now), true),
        ("nbf", json!(now + 1), false),
        ("nbf", json!("soon"), false),
    ] {
        let token = es256(&with(claim, value.clone()));
        assert_eq!(person(&issuer, &token).await.is_some(), is_accepted, "{claim}: {value}");
    }
}

#[tokio::test]
async fn it_must_be_for_us() {
    let issuer = issuer();
    for (audience, is_for_us) in [
        (json!("larder"), true),
        (json!(["a", "larder"]), true),
        (json!("a"), false),
        (json!([]), false),
        (Value::Null, false),
    ] {
        let token = es256(&with("aud", audience.clone()));
        assert_eq!(person(&issuer, &token).await.is_some(), is_for_us, "{audience}");
    }
}

#[tokio::test]
async fn it_must_name_its_issuer_and_a_subject() {
    let issuer = issuer();
    let too_long = json!("x".repeat(256));
    for (claim, value) in [
        ("iss", json!("https://other.example")),
        ("iss", json!([ISSUER])),
        ("iss", json!(OWN_ISSUER)),
        ("sub", json!("")),
        ("sub", too_long),
        ("sub", json!(5)),
    ] {
        let token = es256(&with(claim, value.clone()));
        assert_eq!(person(&issuer, &token).await, None, "{claim}: {value}");
    }
}

#[tokio::test]
async fn an_address_that_may_be_someone_elses_is_not_taken() {
    let issuer = issuer();
    for (claim, value, has_email) in [
        ("email_verified", json!(true), true),
        ("email_verified", json!("true"), true),
        ("email_verified", json!(false), false),
        ("email_verified", json!("false"), false),
        ("email", Value::Null, false),
        ("email", json!("no address"), false),
        ("email", json!(5), false),
    ] {
        let mia = person(&issuer, &es256(&with(claim, value.clone()))).await.unwrap();
        assert_eq!(mia.email.is_some(), has_email, "{claim}: {value}");
    }
}

#[tokio::test]
async fn someone_without_a_name_is_called_by_their_address() {
    let issuer = issuer();
    for useless in [Value::Null, json!(""), json!("x".repeat(101)), json!(5)] {
        let mia = person(&issuer, &es256(&with("name", useless))).await.unwrap();
        assert_eq!(mia.name().unwrap().as_str(), "mia");
    }
}

#[test]
fn the_issuer_cannot_have_our_name() {
    for issuer in ["", OWN_ISSUER] {
        let settings = ExternalIssuer {
            issuer: issuer.to_owned(),
            audience: None,
            keys: IssuerKeySource::File("/nowhere".into()),
        };
        let refused = Tokens::new(&[7; 32], Some(settings), NOW);
        assert!(matches!(refused, Err(SettingsError::ReservedIssuer)));
    }
}

#[tokio::test]
async fn keys_that_the_issuer_publishes_are_as_good_as_a_file() {
    let published = FakeIssuer::publishing(&[ec_jwk("e")]);
    let tokens = |audience: Option<&str>| {
        let settings = ExternalIssuer {
            issuer: FakeIssuer::ISSUER.to_owned(),
            audience: audience.map(str::to_owned),
            keys: IssuerKeySource::Discovery(Arc::clone(&published) as _),
        };
        Tokens::new(&[7; 32], Some(settings), NOW).unwrap()
    };
    let token = es256(&with("iss", json!(FakeIssuer::ISSUER)));
    let accepting = tokens(Some("larder"));
    assert!(matches!(accepting.verify(&token, NOW).await, Ok(Proof::External(_))));
    assert_eq!(tokens(Some("elsewhere")).verify(&token, NOW).await, Err(InvalidToken));
    // Without an audience, what people log in with is of no use to programs.
    assert_eq!(tokens(None).verify(&token, NOW).await, Err(InvalidToken));
    published.go_down();
    assert!(accepting.verify(&token, NOW).await.is_ok(), "the keys are kept");
}
