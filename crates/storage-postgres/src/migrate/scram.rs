//! The verifier of a password (RFC 5803), so that the server and its logs never see the password itself.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// PostgreSQL's default.
const ITERATIONS: u32 = 4096;

/// The SCRAM verifier that `CREATE ROLE … PASSWORD` accepts in place of a password.
///
/// `None` for non-ASCII passwords, which need `SASLprep` (RFC 4013).
pub(super) fn verifier(password: &str, salt: [u8; 16]) -> Option<String> {
    if !password.bytes().all(|byte| (0x20..=0x7e).contains(&byte)) {
        return None;
    }
    let salted = salted_password(password.as_bytes(), &salt);
    let stored_key = Sha256::digest(mac(&salted, b"Client Key"));
    let server_key = mac(&salted, b"Server Key");
    Some(format!(
        "SCRAM-SHA-256${ITERATIONS}:{}${}:{}",
        STANDARD.encode(salt),
        STANDARD.encode(stored_key),
        STANDARD.encode(server_key)
    ))
}

/// `Hi` of RFC 5802: PBKDF2 with one block.
fn salted_password(password: &[u8], salt: &[u8]) -> [u8; 32] {
    let mut block = mac(password, &[salt, &1_u32.to_be_bytes()].concat());
    let mut sum = block;
    for _ in 1..ITERATIONS {
        block = mac(password, &block);
        sum.iter_mut().zip(block).for_each(|(sum, byte)| *sum ^= byte);
    }
    sum
}

fn mac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677, with its fixed salt and password.
    #[test]
    fn the_verifier_is_that_of_the_standard() {
        let salt = STANDARD.decode("W22ZaJ0SNY7soEsUEjb6gQ==").unwrap();
        let salt: [u8; 16] = salt.try_into().unwrap();
        let salted = salted_password(b"pencil", &salt);
        let stored_key = Sha256::digest(mac(&salted, b"Client Key"));
        assert_eq!(STANDARD.encode(stored_key), "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=");
        let text = verifier("pencil", salt).unwrap();
        assert!(text.starts_with("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm"), "{text}");
        assert!(text.ends_with(":wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="), "{text}");
    }

    #[test]
    fn passwords_beyond_ascii_have_no_verifier_of_ours() {
        assert_eq!(verifier("pässword", [0; 16]), None);
    }
}
