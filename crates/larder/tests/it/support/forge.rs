//! Tokens signed by the test itself, right and wrong.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Sha256, Sha384};

use super::server::JWT_SECRET;

/// The claims inside a token, unverified.
pub(crate) fn claims_of(token: &str) -> Value {
    let payload = token.split('.').nth(1).expect("a JWT has three parts");
    let bytes = URL_SAFE_NO_PAD.decode(payload).expect("a JWT is base64url");
    serde_json::from_slice(&bytes).expect("claims are JSON")
}

/// The header inside a token.
pub(crate) fn header_of(token: &str) -> Value {
    let header = token.split('.').next().expect("a JWT has three parts");
    let bytes = URL_SAFE_NO_PAD.decode(header).expect("a JWT is base64url");
    serde_json::from_slice(&bytes).expect("a JWT header is JSON")
}

/// A token with the server's own secret and the header of `like`.
pub(crate) fn signed_like(like: &str, claims: &Value) -> String {
    hs256(&header_of(like), claims, JWT_SECRET)
}

/// A token signed with HMAC-SHA256.
pub(crate) fn hs256(header: &Value, claims: &Value, secret: &str) -> String {
    let input = signing_input(header, claims);
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(input.as_bytes());
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// A token that is correctly signed with the right secret, but with another algorithm.
pub(crate) fn hs384(claims: &Value) -> String {
    let input = signing_input(&json!({ "alg": "HS384", "typ": "JWT" }), claims);
    let mut mac = Hmac::<Sha384>::new_from_slice(JWT_SECRET.as_bytes())
        .expect("HMAC takes keys of any length");
    mac.update(input.as_bytes());
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// A token that claims to need no signature.
pub(crate) fn unsigned(algorithm: &str, claims: &Value) -> String {
    format!("{}.", signing_input(&json!({ "alg": algorithm, "typ": "JWT" }), claims))
}

fn signing_input(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}
