//! Several keys from one secret.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A key for one purpose, derived from this secret. The label separates it from other keys of the
/// same secret.
pub(crate) fn derive(secret: &[u8], label: &[u8]) -> Hmac<Sha256> {
    keyed(&keyed(secret).chain_update(label).finalize().into_bytes())
}

/// HMAC accepts keys of any length.
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}
