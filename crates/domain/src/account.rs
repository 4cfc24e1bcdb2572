//! Users and their credentials.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use thiserror::Error;

use crate::{
    HouseholdId, Language, PersonName, Role, SessionId, UserId, Zone, invisible::find_invisible,
};

/// An email address: stored as written, compared in lower case.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

/// The text cannot be an email address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidEmail {
    /// Not of the shape of one.
    #[error("must be an email address of at most 254 characters")]
    Shape,
    /// A character that nobody sees, with which two addresses look the same.
    #[error("must not contain the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
}

impl Email {
    /// The longest address that mail servers carry (RFC 5321).
    pub const MAX_CHARS: usize = 254;

    /// Checks the shape `someone@somewhere`; only a delivered mail proves more.
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let email = Self::parse_stored(text)?;
        find_invisible(text).map_or(Ok(email), |c| Err(InvalidEmail::Invisible(c)))
    }

    /// Reads an address that somebody already has: it may be from a time when more was allowed.
    pub fn parse_stored(text: &str) -> Result<Self, InvalidEmail> {
        let (local, host) = text.rsplit_once('@').ok_or(InvalidEmail::Shape)?;
        let fits = text.chars().count() <= Self::MAX_CHARS
            && !local.is_empty()
            && !host.is_empty()
            && !local.contains('@')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !text.contains(|c: char| c.is_whitespace() || c.is_control());
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidEmail::Shape) }
    }

    /// The address as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address as it is compared.
    pub fn folded(&self) -> String {
        crate::text::fold(&self.0)
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email([redacted])")
    }
}

/// A password in clear, on its way to being hashed. Never printed, never stored.
pub struct Password(String);

/// Why a password is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PasswordError {
    /// Too short to resist guessing (NIST SP 800-63B).
    #[error("must have at least 8 characters")]
    TooShort,
    /// So long that hashing it would be a denial of service.
    #[error("must have at most 256 characters")]
    TooLong,
}

impl Password {
    /// Checks the length.
    pub fn parse(text: &str) -> Result<Self, PasswordError> {
        match text.chars().count() {
            ..8 => Err(PasswordError::TooShort),
            8..=256 => Ok(Self(text.to_owned())),
            _ => Err(PasswordError::TooLong),
        }
    }

    /// The text, to hash it or to judge it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password([redacted])")
    }
}

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The address that they log in with.
    pub email: Email,
    /// When they confirmed that address; `None` until then.
    pub email_confirmed_at: Option<Timestamp>,
    /// Their display name.
    pub name: PersonName,
    /// Their own time zone, which counts in individual mode.
    pub zone: Option<Zone>,
    /// The language that they read.
    pub language: Option<Language>,
    /// When they registered.
    pub created_at: Timestamp,
    /// Their household and role; `None` in individual mode.
    pub membership: Option<Membership>,
    /// Whether their own items are still on the way into the household.
    pub is_moving_items: bool,
}

/// A change of a user; `None` leaves a field unchanged, and an inner `None` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPatch {
    /// A new name.
    pub name: Option<PersonName>,
    /// Another time zone.
    pub zone: Option<Option<Zone>>,
    /// Another language.
    pub language: Option<Option<Language>>,
}

impl UserPatch {
    /// The user after the change.
    #[must_use]
    pub fn apply(self, to: &User) -> User {
        let mut user = to.clone();
        user.name = self.name.unwrap_or(user.name);
        user.zone = self.zone.unwrap_or(user.zone);
        user.language = self.language.unwrap_or(user.language);
        user
    }
}

/// The household of a user and their role in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// The household.
    pub household: HouseholdId,
    /// The role.
    pub role: Role,
}

/// How a user stays logged in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionKind {
    /// By a cookie, which is constant and extended with each use.
    Browser,
    /// By refresh tokens, each of which is good once.
    Tokens,
}

/// The text names no kind of session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be \"browser\" or \"tokens\"")]
pub struct UnknownSessionKind;

impl SessionKind {
    /// The word for it in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Tokens => "tokens",
        }
    }
}

impl FromStr for SessionKind {
    type Err = UnknownSessionKind;

    fn from_str(text: &str) -> Result<Self, UnknownSessionKind> {
        match text {
            "browser" => Ok(Self::Browser),
            "tokens" => Ok(Self::Tokens),
            _ => Err(UnknownSessionKind),
        }
    }
}

/// The place of a session in the list of a person's sessions, which begins with the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionPosition {
    /// When it began.
    pub began_at: Timestamp,
    /// Which of those that began at that moment.
    pub id: SessionId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_two_sides() {
        assert!(Email::parse("Mia.Müller+larder@example.co.jp").is_ok());
        let long = format!("{}@example.com", "a".repeat(243));
        for text in ["", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\n", "a@.b", "a@b.", long.as_str()]
        {
            assert_eq!(Email::parse(text), Err(InvalidEmail::Shape), "{text}");
        }
    }

    #[test]
    fn an_address_with_an_invisible_character_is_refused_and_read_if_it_was_stored_before() {
        let text = "mia\u{200b}@example.com";
        assert_eq!(Email::parse(text), Err(InvalidEmail::Invisible('\u{200b}')));
        assert_eq!(Email::parse_stored(text).unwrap().as_str(), text);
        assert!(Email::parse("山田@例え.jp").is_ok());
    }

    #[test]
    fn addresses_compare_without_case() {
        let email = Email::parse("Mia@Example.com").unwrap();
        assert_eq!(
            (email.as_str(), email.folded().as_str()),
            ("Mia@Example.com", "mia@example.com")
        );
    }

    #[test]
    fn secrets_do_not_print() {
        let password = Password::parse("correct horse").unwrap();
        assert_eq!(format!("{password:?}"), "Password([redacted])");
    }

    #[test]
    fn passwords_have_8_to_256_characters() {
        assert_eq!(Password::parse("1234567").unwrap_err(), PasswordError::TooShort);
        assert_eq!(Password::parse(&"x".repeat(257)).unwrap_err(), PasswordError::TooLong);
    }
    #[test]
    fn a_kind_of_session_comes_back_from_its_word() {
        for kind in [SessionKind::Browser, SessionKind::Tokens] {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!("Browser".parse::<SessionKind>(), Err(UnknownSessionKind));
    }
}
