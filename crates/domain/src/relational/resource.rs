//! Resources.

use jiff::Timestamp;

use super::{Attributes, UniqueKeys, Urn};

/// Which shape the attributes of a resource have: 1, 2, 3, … per resource type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaVersion(u32);

impl SchemaVersion {
    /// The first.
    pub const FIRST: Self = Self(1);

    /// A version; `None` for 0.
    pub const fn new(number: u32) -> Option<Self> {
        if number == 0 { None } else { Some(Self(number)) }
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// Any thing that an account owns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its name.
    pub urn: Urn,
    /// The account that it belongs to.
    pub account: Urn,
    /// Its parent.
    pub parent: Option<Urn>,
    /// Which shape the attributes have.
    pub schema_version: SchemaVersion,
    /// How often attributes, unique keys or parent were changed, plus one: by it, a stale change is recognised. Links
    /// from others and rewriting attributes in a newer shape do not count.
    pub version: u64,
    /// Values that no other resource of its type has.
    pub unique_keys: UniqueKeys,
    /// Its other attributes.
    pub attributes: Attributes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed, in the sense of `version`.
    pub updated_at: Timestamp,
}
