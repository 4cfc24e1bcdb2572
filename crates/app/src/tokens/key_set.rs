//! The public keys of the external issuer.

use std::{collections::HashMap, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// A public key and the one algorithm that it verifies. The token does not choose.
#[derive(Debug)]
pub(super) struct VerificationKey {
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

/// RSA keys below this can be broken (NIST SP 800-131A).
const MIN_RSA_BITS: usize = 2048;

/// Why a JWKS is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum UnusableKeys {
    /// No key verifies anything, or it is no JWKS.
    #[error("it has no usable key")]
    None,
    /// A key is so short that others can sign with it.
    #[error("the RSA key {kid:?} has {bits} bits, and at least {MIN_RSA_BITS} are needed")]
    Weak {
        /// The key.
        kid: String,
        /// The length of its modulus.
        bits: usize,
    },
}

/// The keys of a JWKS by their `kid`.
#[derive(Debug, Default, Clone)]
pub(super) struct KeySet(HashMap<String, Arc<VerificationKey>>);

impl KeySet {
    /// The usable keys: RSA and P-256, for signatures, with a `kid`. Others are skipped, because
    /// issuers publish keys for other purposes too. One that would be used and is too short is an
    /// error: without it, the tokens of the issuer would be refused for no visible reason.
    pub(super) fn parse(json: &[u8]) -> Result<Self, UnusableKeys> {
        #[derive(Deserialize)]
        struct Jwks {
            keys: Vec<Value>,
        }
        let jwks: Jwks = serde_json::from_slice(json).map_err(|_| UnusableKeys::None)?;
        let mut keys = HashMap::new();
        for key in jwks.keys {
            let Some(UsableKey { kid, key, rsa_bits }) = usable(key) else { continue };
            match rsa_bits {
                Some(bits) if bits < MIN_RSA_BITS => {
                    return Err(UnusableKeys::Weak { kid, bits });
                }
                _ => keys.insert(kid, Arc::new(key)),
            };
        }
        if keys.is_empty() { Err(UnusableKeys::None) } else { Ok(Self(keys)) }
    }

    /// The key with this `kid`.
    pub(super) fn find(&self, kid: &str) -> Option<Arc<VerificationKey>> {
        self.0.get(kid).cloned()
    }
}

struct UsableKey {
    kid: String,
    key: VerificationKey,
    /// The length of the modulus of an RSA key.
    rsa_bits: Option<usize>,
}

fn usable(json: Value) -> Option<UsableKey> {
    let jwk: Jwk = serde_json::from_value(json).ok()?;
    let (algorithm, rsa_bits) = match &jwk.algorithm {
        AlgorithmParameters::RSA(key) => (Algorithm::RS256, Some(modulus_bits(&key.n)?)),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, None)
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
    Some(UsableKey { kid, key: VerificationKey { algorithm, key }, rsa_bits })
}

/// The length of a modulus, which may begin with zeros.
fn modulus_bits(base64url: &str) -> Option<usize> {
    let bytes = URL_SAFE_NO_PAD.decode(base64url).ok()?;
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let first = bytes.get(zeros)?;
    Some((bytes.len() - zeros) * 8 - first.leading_zeros() as usize)
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
            let refused = KeySet::parse(json.as_bytes()).unwrap_err();
            assert_eq!(refused, UnusableKeys::None, "{json}");
        }
    }

    /// A public key with a modulus of so many bytes, beginning with this one.
    fn rsa_of(first: u8, bytes: usize) -> Value {
        let mut modulus = vec![0xff; bytes];
        modulus[0] = first;
        json!({ "kty": "RSA", "kid": "short", "e": "AQAB", "n": URL_SAFE_NO_PAD.encode(modulus) })
    }

    #[test]
    fn an_rsa_key_needs_2048_bits() {
        for (key, bits) in
            [(rsa_of(0xff, 128), 1024), (rsa_of(0x7f, 256), 2047), (rsa_of(0, 256), 2040)]
        {
            let refused = KeySet::parse(&jwks(&[rsa_jwk("r"), key])).unwrap_err();
            assert_eq!(refused, UnusableKeys::Weak { kid: "short".to_owned(), bits });
        }
        for key in [rsa_of(0x80, 256), rsa_of(0, 257), rsa_of(0xff, 512)] {
            let keys = KeySet::parse(&jwks(&[key])).unwrap();
            assert_eq!(algorithm(&keys, "short"), Some(Algorithm::RS256));
        }
        // Nobody verifies with it.
        let mut unused = rsa_of(0xff, 128);
        unused["use"] = json!("enc");
        assert!(KeySet::parse(&jwks(&[rsa_jwk("r"), unused])).is_ok());
    }
}
