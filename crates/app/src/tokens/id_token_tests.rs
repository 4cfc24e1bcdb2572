use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::tokens::testing::{FakeIssuer, ec_jwk, es256, rsa_jwk};

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);
const QUESTION: IdTokenQuestion<'_> = IdTokenQuestion { client_id: "larder", nonce: "n" };

fn claims() -> Value {
    json!({
        "iss": FakeIssuer::ISSUER, "sub": "mia", "aud": "larder", "nonce": "n",
        "iat": NOW.as_second(), "exp": NOW.as_second() + 60, "auth_time": NOW.as_second() - 5,
        "email": "mia@example.com", "name": "Mia",
    })
}

async fn verify(token: &str) -> Result<IdToken, InvalidIdToken> {
    let issuer = FakeIssuer::publishing(&[ec_jwk("e"), rsa_jwk("r")]);
    let provider = Discovery::new(FakeIssuer::ISSUER.to_owned(), Arc::clone(&issuer) as _);
    IdToken::verify(&provider, token, QUESTION, NOW).await
}

#[tokio::test]
async fn it_says_who_has_logged_in_and_when() {
    let token = verify(&es256("e", &claims())).await.unwrap();
    assert_eq!(token.person.identity.issuer, FakeIssuer::ISSUER);
    assert_eq!(token.person.identity.subject, "mia");
    assert_eq!(token.person.email.unwrap().as_str(), "mia@example.com");
    assert_eq!(token.authenticated_at, Some(NOW - SignedDuration::from_secs(5)));
}

#[tokio::test]
async fn each_claim_is_checked() {
    use InvalidIdToken::{Audience, Nonce, Signature, Time};
    let now = NOW.as_second();
    for (changed, expected) in [
        (json!({ "iss": "https://evil.example" }), Err(Signature)),
        (json!({ "iss": null }), Err(Signature)),
        (json!({ "sub": null }), Err(Signature)),
        (json!({ "sub": "" }), Err(Time)),
        (json!({ "aud": "other" }), Err(Audience)),
        (json!({ "aud": [] }), Err(Audience)),
        (json!({ "aud": null }), Err(Signature)),
        (json!({ "aud": ["larder"] }), Ok(())),
        (json!({ "aud": ["larder", "other"] }), Err(Audience)),
        (json!({ "aud": ["larder", "other"], "azp": "larder" }), Ok(())),
        (json!({ "aud": ["larder", "other"], "azp": "other" }), Err(Audience)),
        (json!({ "azp": "larder" }), Ok(())),
        (json!({ "azp": "other" }), Err(Audience)),
        (json!({ "nonce": "m" }), Err(Nonce)),
        (json!({ "nonce": null }), Err(Nonce)),
        (json!({ "exp": now - 59 }), Ok(())),
        (json!({ "exp": now - 60 }), Err(Time)),
        (json!({ "exp": 1e300 }), Err(Signature)),
        (json!({ "exp": 1e15 }), Err(Time)),
        (json!({ "exp": null }), Err(Signature)),
        (json!({ "nbf": now + 60 }), Ok(())),
        (json!({ "nbf": now + 61 }), Err(Time)),
    ] {
        let mut claims = claims();
        for (name, value) in changed.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let verified = verify(&es256("e", &claims)).await.map(|_| ());
        assert_eq!(verified, expected, "{changed}");
    }
}

#[tokio::test]
async fn only_the_providers_keys_sign() {
    let good = es256("e", &claims());
    let (message, _) = good.rsplit_once('.').unwrap();
    let unsigned = {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.", part(&json!({ "alg": "none", "kid": "e" })), part(&claims()))
    };
    for (token, expected) in [
        (es256("r", &claims()), InvalidIdToken::Signature),
        (es256("x", &claims()), InvalidIdToken::Key),
        (format!("{message}."), InvalidIdToken::Signature),
        (unsigned, InvalidIdToken::Key),
        (String::new(), InvalidIdToken::Key),
    ] {
        assert_eq!(verify(&token).await, Err(expected), "{token}");
    }
}
