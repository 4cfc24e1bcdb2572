//! The public keys of the external issuer.

use std::{collections::HashMap, sync::Arc};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;

/// A public key and the one algorithm that it verifies. The token does not choose.
#[derive(Debug)]
pub(super) struct VerificationKey {
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

/// The keys of a JWKS by their `kid`.
#[derive(Debug, Default, Clone)]
pub(super) struct KeySet(HashMap<String, Arc<VerificationKey>>);

impl KeySet {
    /// The usable keys: RSA and P-256, for signatures, with a `kid`. Others are skipped, because
    /// issuers publish keys for other purposes too. `None` if there is no usable key.
    pub(super) fn parse(json: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Jwks {
            keys: Vec<Value>,
        }
        let jwks: Jwks = serde_json::from_slice(json).ok()?;
        let keys: HashMap<_, _> = jwks.keys.into_iter().filter_map(usable).collect();
        (!keys.is_empty()).then_some(Self(keys))
    }

    /// The key with this `kid`.
    pub(super) fn find(&self, kid: &str) -> Option<Arc<VerificationKey>> {
        self.0.get(kid).cloned()
    }
}

fn usable(json: Value) -> Option<(String, Arc<VerificationKey>)> {
    let jwk: Jwk = serde_json::from_value(json).ok()?;
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        _ => return None,
    };
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    let common = jwk.common;
    let is_for_signatures =
        common.public_key_use.is_none_or(|purpose| purpose == PublicKeyUse::Signature);
    let is_for_algorithm =
        common.key_algorithm.is_none_or(|named| named == KeyAlgorithm::from(algorithm));
    let kid = common.key_id.filter(|_| is_for_signatures && is_for_algorithm)?;
    Some((kid, Arc::new(VerificationKey { algorithm, key })))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tokens::testing::{ec_jwk, jwks, rsa_jwk};

    fn algorithm(keys: &KeySet, kid: &str) -> Option<Algorithm> {
        keys.find(kid).map(|key| key.algorithm)
    }

    #[test]
    fn a_key_verifies_the_algorithm_of_its_kind() {
        let keys = KeySet::parse(&jwks(&[rsa_jwk("r"), ec_jwk("e")])).unwrap();
        assert_eq!(algorithm(&keys, "r"), Some(Algorithm::RS256));
        assert_eq!(algorithm(&keys, "e"), Some(Algorithm::ES256));
        assert_eq!(algorithm(&keys, "x"), None);
    }

    #[test]
    fn keys_for_other_purposes_are_left_out() {
        let with = |name: &str, value: Value| {
            let mut jwk = rsa_jwk("r");
            jwk[name] = value;
            jwk
        };
        for useless in [
            with("use", json!("enc")),
            with("alg", json!("RS512")),
            with("alg", json!("PS256")),
            with("kid", Value::Null),
            with("n", json!(5)),
            json!({ "kty": "oct", "kid": "r", "k": "c2VjcmV0" }),
            json!({ "kty": "new kind", "kid": "r" }),
            json!("text"),
        ] {
            let keys = KeySet::parse(&jwks(&[useless.clone(), ec_jwk("e")])).unwrap();
            assert_eq!(algorithm(&keys, "r"), None, "{useless}");
            assert_eq!(algorithm(&keys, "e"), Some(Algorithm::ES256), "{useless}");
        }
    }

    #[test]
    fn a_set_without_a_usable_key_is_none() {
        for json in ["", "[]", "{}", r#"{"keys":[]}"#, r#"{"keys":[{}]}"#] {
            assert!(KeySet::parse(json.as_bytes()).is_none(), "{json}");
        }
    }
}
