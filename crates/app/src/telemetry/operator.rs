//! The operator, who runs the server and manages devices of no household, or of all.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac, digest::CtOutput};
use larder_domain::Owner;
use sha2::Sha256;

use crate::{App, Caller};

/// Separates the digest from other uses of the token.
const LABEL: &[u8] = b"larder: the token of the operator";

/// A manager of devices and their keys.
///
/// Created only by [`App::authenticate_for_fleet`].
#[derive(Debug, Clone)]
pub enum FleetCaller {
    /// A person, for their household.
    Person(Caller),
    /// The operator, for all devices.
    Operator(Operator),
}

/// A caller with the operator's token.
#[derive(Debug, Clone, Copy)]
pub struct Operator(());

impl FleetCaller {
    /// The owner of the devices; `None`: all.
    pub fn owner(&self) -> Option<Owner> {
        match self {
            Self::Person(caller) => Some(caller.owner()),
            Self::Operator(_) => None,
        }
    }

    /// Whether it is the operator, who also sees the owners.
    pub const fn is_operator(&self) -> bool {
        matches!(self, Self::Operator(_))
    }
}

/// The stored form of the operator's token: enough to recognise it.
#[derive(Clone)]
pub(crate) struct OperatorToken(CtOutput<Hmac<Sha256>>);

impl OperatorToken {
    pub(crate) fn new(token: &[u8]) -> Self {
        Self(digest(token))
    }

    /// Constant-time.
    fn recognises(&self, token: &str) -> bool {
        self.0 == digest(token.as_bytes())
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorToken([redacted])")
    }
}

fn digest(token: &[u8]) -> CtOutput<Hmac<Sha256>> {
    let keyed: Hmac<Sha256> = Hmac::new_from_slice(LABEL).expect("HMAC takes a key of any length");
    keyed.chain_update(token).finalize()
}

impl App {
    /// The operator, if this is their token. Checked after users' tokens, so that it does not delay
    /// them.
    pub(crate) fn operator_with(&self, bearer: &str) -> Option<Operator> {
        let operator = self.operator.as_ref()?;
        operator.recognises(bearer).then_some(Operator(()))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The operator, without a token.
    pub(crate) const fn operator() -> FleetCaller {
        FleetCaller::Operator(Operator(()))
    }

    #[test]
    fn only_the_whole_token_is_recognised_and_it_does_not_print() {
        let token = OperatorToken::new(b"0123456789abcdef0123456789abcdef");
        assert!(token.recognises("0123456789abcdef0123456789abcdef"));
        for other in ["", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdeF"] {
            assert!(!token.recognises(other), "{other}");
        }
        assert_eq!(format!("{token:?}"), "OperatorToken([redacted])");
    }
}
