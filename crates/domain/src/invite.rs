//! Invite codes, easy to read out and to type.

use std::fmt;

use thiserror::Error;

/// Without 0, O, 1 and I, which people confuse; the 32 that remain are five bits each.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Twelve characters of A–Z and 0–9 without 0, O, 1 and I, in upper case.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct InviteCode(String);

/// The text cannot be an invite code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be 12 letters and digits")]
pub struct InvalidInviteCode;

impl InviteCode {
    /// The length that seed 003 fixes.
    pub const LENGTH: usize = 12;

    /// A code from twelve random bytes, five bits of each.
    pub fn from_random(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
    }

    /// Reads a code in either case.
    pub fn parse(text: &str) -> Result<Self, InvalidInviteCode> {
        let text = text.trim().to_ascii_uppercase();
        let fits = text.len() == Self::LENGTH && text.bytes().all(|b| b.is_ascii_alphanumeric());
        if fits { Ok(Self(text)) } else { Err(InvalidInviteCode) }
    }

    /// The code in upper case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The code permits joining, so it stays out of logs.
impl fmt::Debug for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InviteCode([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_does_not_matter() {
        assert_eq!(InviteCode::parse("abcdefghjkl2").unwrap().as_str(), "ABCDEFGHJKL2");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "ABCDEFGHJKL", "ABCDEFGHJKLMN", "ABCDEFGHJKL-", "ＡBCDEFGHJKL"] {
            assert_eq!(InviteCode::parse(text), Err(InvalidInviteCode), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_made_code_is_readable_and_has_no_confusing_character(bytes in any::<[u8; 12]>()) {
            let code = InviteCode::from_random(bytes);
            prop_assert_eq!(InviteCode::parse(&code.as_str().to_lowercase()).unwrap(), code.clone());
            prop_assert!(!code.as_str().contains(['0', 'O', '1', 'I']));
        }
    }
}
