//! A distinct id type per entity, so that ids cannot be confused.

use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

/// The text is not a UUID in its usual form of 36 characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a UUID such as 6f9619ff-8b86-4d01-b42d-00cf4fc964ff")]
pub struct InvalidId;

/// Has JSON contain the text of these values.
macro_rules! serialize_as_text {
    ($($name:ty),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }
    )+};
}

pub(crate) use serialize_as_text;

/// Common to all ids, independent of the accepted UUIDs.
macro_rules! uuid_types {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(uuid::Uuid);

        impl $name {
            /// An id of our own making: UUID v4 from 16 random bytes.
            pub fn from_random(bytes: [u8; 16]) -> Self {
                Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
            }

            /// The sixteen bytes of the id.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        /// In lower case.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        crate::ids::serialize_as_text! { $name }
    )+};
}

pub(crate) use uuid_types;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        uuid_types! { $($(#[$doc])* $name),+ }
        $(
            impl $name {
                /// An id that is fixed in the code.
                pub const fn fixed(value: u128) -> Self {
                    Self(Uuid::from_u128(value))
                }

                /// The id with these bytes.
                pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                    Self(Uuid::from_bytes(bytes))
                }
            }

            impl FromStr for $name {
                type Err = InvalidId;

                fn from_str(text: &str) -> Result<Self, InvalidId> {
                    parse(text).map(Self)
                }
            }

            crate::entity::field! {
                $name: text(|id| &id.to_string(), |text: &str| text.parse::<Self>())
            }
            crate::rule::described! { $name: Uuid, }
        )+
    };
}

ids! {
    /// A person with an account.
    UserId,
    /// A household, which is also a family and an account.
    HouseholdId,
    /// A thing in a cupboard.
    ItemId,
    /// What a family knows of a name.
    ProductId,
    /// One of the fixed categories.
    CategoryId,
    /// A storage location: a predefined one or a household's own.
    StorageLocationId,
    /// A shop.
    StoreId,
    /// A login: one family of refresh tokens.
    SessionId,
    /// A token that a person has made for a program.
    ProgramTokenId,
    /// An entry of a shopping list.
    ShoppingItemId,
    /// A notification.
    NotificationId,
    /// A deletion that goes on in the background: of a resource and all below it, or an erasure.
    DeletionId,
}

/// References accept any RFC 9562 UUID, but only as 8-4-4-4-12 hex digits: the other spellings that
/// the UUID library accepts would give one record several names.
pub(crate) fn parse(text: &str) -> Result<Uuid, InvalidId> {
    if text.len() != 36 {
        return Err(InvalidId);
    }
    Uuid::try_parse(text).map_err(|_| InvalidId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_form_is_read_in_either_case_and_written_in_lower_case() {
        let id: ItemId = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8".parse().unwrap();
        assert_eq!(id.to_string(), "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "6ba7b8109dad11d180b400c04fd430c8",
            "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
            "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
        ] {
            assert_eq!(text.parse::<ItemId>(), Err(InvalidId), "{text}");
        }
    }

    #[test]
    fn ids_of_our_own_are_version_4() {
        let id = UserId::from_random([0xff; 16]).to_string();
        assert_eq!(id, "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
