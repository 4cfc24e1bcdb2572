//! Access tokens that were verified before. A client sends the same one for fifteen minutes; checking its
//! signature once is enough. Whether its session still lasts is asked elsewhere.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::TokenOwner;

/// About 3 MB when full.
const MAX_ENTRIES: usize = 8_000;

/// The claims of a verified token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verified {
    pub(super) owner: TokenOwner,
    pub(super) expires_at_second: i64,
}

/// Tokens by their whole text: no shorter form identifies one.
#[derive(Default)]
pub(super) struct VerifiedTokens(Mutex<HashMap<Box<str>, Verified>>);

impl VerifiedTokens {
    /// The claims of this token, if it was verified before. The caller checks the expiry.
    pub(super) fn find(&self, token: &str) -> Option<Verified> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(token).copied()
    }

    /// Caches a token whose signature was just verified.
    pub(super) fn remember(&self, token: &str, verified: Verified, now_second: i64) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MAX_ENTRIES {
            tokens.retain(|_, verified| verified.expires_at_second > now_second);
            // All still valid: verifying them once more is cheaper than tracking the order of use.
            if tokens.len() >= MAX_ENTRIES {
                tokens.clear();
            }
        }
        tokens.insert(token.into(), verified);
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{SessionId, UserId};

    use super::*;

    fn verified(expires_at_second: i64) -> Verified {
        let owner = TokenOwner { user: UserId::fixed(1), session: SessionId::fixed(2) };
        Verified { owner, expires_at_second }
    }

    #[test]
    fn only_the_very_same_token_is_known() {
        let tokens = VerifiedTokens::default();
        tokens.remember("a.b.c", verified(10), 0);
        assert_eq!(tokens.find("a.b.c"), Some(verified(10)));
        for other in ["a.b.d", "a.b.", "a.b.cc", ""] {
            assert_eq!(tokens.find(other), None, "{other}");
        }
    }

    #[test]
    fn what_has_expired_makes_room_first() {
        let tokens = VerifiedTokens::default();
        tokens.remember("old", verified(5), 0);
        for n in 1..MAX_ENTRIES {
            tokens.remember(&n.to_string(), verified(100), 0);
        }
        tokens.remember("new", verified(100), 50);
        assert_eq!((tokens.find("old"), tokens.find("1")), (None, Some(verified(100))));
        tokens.remember("one too many", verified(100), 50);
        assert_eq!(tokens.0.lock().unwrap().len(), 1);
    }
}
