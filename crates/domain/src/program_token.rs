//! Tokens for programs: what each of them may do.

use std::{fmt, str::FromStr};

use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use crate::ProgramTokenId;

/// How much time passes at least between two notes of a token's use.
pub const PROGRAM_TOKEN_USE_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// One area in which a token may change things; [`TokenScope::Read`] changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenScope {
    /// Reading everything that the person may read, except for what is a key itself.
    Read,
    /// Items, products, photos, storage locations, barcodes and notifications.
    Stock,
    /// The shopping list, putting away, and shops.
    Shopping,
    /// Devices and their API keys.
    Devices,
    /// Resources, unique keys, grants and jobs.
    Things,
    /// The household, its members, invitations and tags, and the person's own settings.
    Admin,
}

/// The text names no scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be \"read\", \"stock\", \"shopping\", \"devices\", \"things\" or \"admin\"")]
pub struct UnknownTokenScope;

impl TokenScope {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 6] =
        [Self::Read, Self::Stock, Self::Shopping, Self::Devices, Self::Things, Self::Admin];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Stock => "stock",
            Self::Shopping => "shopping",
            Self::Devices => "devices",
            Self::Things => "things",
            Self::Admin => "admin",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl FromStr for TokenScope {
    type Err = UnknownTokenScope;

    fn from_str(text: &str) -> Result<Self, UnknownTokenScope> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or(UnknownTokenScope)
    }
}

impl fmt::Display for TokenScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The scopes of a token: at least one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenScopes(u8);

/// Why some texts are no scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidTokenScopes {
    /// There are none.
    #[error("must have at least one scope")]
    Empty,
    /// One of them is unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownTokenScope),
}

impl TokenScopes {
    /// The set of these scopes; `None` if there are none.
    pub fn of(scopes: impl IntoIterator<Item = TokenScope>) -> Option<Self> {
        let bits = scopes.into_iter().fold(0, |bits, scope| bits | scope.bit());
        (bits != 0).then_some(Self(bits))
    }

    /// The set of the scopes with these names.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidTokenScopes> {
        let scopes = names.into_iter().map(str::parse).collect::<Result<Vec<TokenScope>, _>>()?;
        Self::of(scopes).ok_or(InvalidTokenScopes::Empty)
    }

    /// Whether this scope is one of them.
    pub const fn contains(self, scope: TokenScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Each of them, in the order of [`TokenScope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = TokenScope> {
        TokenScope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl fmt::Debug for TokenScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// What a request needs of a program's token. Logins may do everything that the person may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenNeed {
    /// Exactly this scope.
    Scope(TokenScope),
    /// `read`, or this scope: whoever may change something may look at it.
    ReadOr(TokenScope),
    /// A login, which no token for programs can replace: otherwise a stolen one could make another,
    /// and outlive its revocation.
    Login,
}

/// Why a token is not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsufficientToken {
    /// It lacks this scope.
    Scope(TokenScope),
    /// No token is enough.
    Login,
}

impl TokenNeed {
    /// Whether a token with these scopes is enough.
    pub const fn check(self, scopes: TokenScopes) -> Result<(), InsufficientToken> {
        let (is_met, lacking) = match self {
            Self::Scope(scope) => (scopes.contains(scope), scope),
            Self::ReadOr(scope) => {
                (scopes.contains(TokenScope::Read) || scopes.contains(scope), TokenScope::Read)
            }
            Self::Login => return Err(InsufficientToken::Login),
        };
        if is_met { Ok(()) } else { Err(InsufficientToken::Scope(lacking)) }
    }
}

/// The place of a token in the list of a person's tokens, which begins with the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramTokenPosition {
    /// When it was made.
    pub created_at: Timestamp,
    /// Which of those that were made at that moment.
    pub id: ProgramTokenId,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(scope: TokenScope) -> TokenScopes {
        TokenScopes::of([scope]).unwrap()
    }

    #[test]
    fn a_scope_comes_back_from_its_name() {
        for scope in TokenScope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(scope));
        }
        for text in ["", "READ", "write", "read "] {
            assert_eq!(text.parse::<TokenScope>(), Err(UnknownTokenScope), "{text}");
        }
    }

    #[test]
    fn a_set_of_scopes_is_not_empty_and_has_an_order_and_no_repetitions() {
        let scopes = TokenScopes::parse(["things", "read", "things"]).unwrap();
        assert!(scopes.iter().eq([TokenScope::Read, TokenScope::Things]));
        assert_eq!(TokenScopes::of([]), None);
        assert_eq!(TokenScopes::parse([]), Err(InvalidTokenScopes::Empty));
        let unknown = Err(InvalidTokenScopes::Unknown(UnknownTokenScope));
        assert_eq!(TokenScopes::parse(["read", "write"]), unknown);
    }

    #[test]
    fn a_change_takes_its_own_scope() {
        for needed in TokenScope::ALL {
            for held in TokenScope::ALL {
                let expected =
                    if needed == held { Ok(()) } else { Err(InsufficientToken::Scope(needed)) };
                assert_eq!(TokenNeed::Scope(needed).check(only(held)), expected);
            }
        }
    }

    #[test]
    fn an_area_is_read_with_its_scope_or_with_that_for_reading() {
        for held in TokenScope::ALL {
            let expected = match held {
                TokenScope::Read | TokenScope::Shopping => Ok(()),
                _ => Err(InsufficientToken::Scope(TokenScope::Read)),
            };
            assert_eq!(TokenNeed::ReadOr(TokenScope::Shopping).check(only(held)), expected);
        }
    }

    #[test]
    fn no_scopes_replace_a_login() {
        let all = TokenScopes::of(TokenScope::ALL).unwrap();
        assert_eq!(TokenNeed::Login.check(all), Err(InsufficientToken::Login));
    }
}
