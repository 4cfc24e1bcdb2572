//! Several keys from one secret.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The key that this secret gives for one purpose. The label keeps it apart from everything else that is made
/// of the same secret.
pub(crate) fn derive(secret: &[u8], label: &[u8]) -> Hmac<Sha256> {
    keyed(&keyed(secret).chain_update(label).finalize().into_bytes())
}

/// An HMAC takes a key of any length.
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}
