//! Signatures, which let a receiver verify origin and time of a call.
//!
//! `Larder-Signature: t=<unix seconds>,v1=<hex>`, where `<hex>` is HMAC-SHA-256 over `<unix
//! seconds>.<body>`. The time is signed with the body, so that a receiver can refuse replays.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The name of the header.
pub const HEADER: &str = "larder-signature";

/// The value of the header.
pub fn sign(secret: &[u8], unix_seconds: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length");
    mac.update(unix_seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    let mut value = format!("t={unix_seconds},v1=");
    for byte in mac.finalize().into_bytes() {
        write!(value, "{byte:02x}").expect("writing to a text succeeds");
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `printf '%s' '1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'a secret'`.
    #[test]
    fn a_signature_is_what_every_other_tool_computes() {
        assert_eq!(
            sign(b"a secret", 1_700_000_000, br#"{"a":1}"#),
            "t=1700000000,v1=b4c5d5c08194254de18b80695176335ee482a5907fb5e68f7bd993b1b00b018d"
        );
    }

    #[test]
    fn time_body_and_secret_each_change_it() {
        let signature = sign(b"a secret", 1_700_000_000, b"{}");
        assert_ne!(signature, sign(b"a secret", 1_700_000_001, b"{}"));
        assert_ne!(signature, sign(b"a secret", 1_700_000_000, b"{ }"));
        assert_ne!(signature, sign(b"another secret", 1_700_000_000, b"{}"));
    }
}
