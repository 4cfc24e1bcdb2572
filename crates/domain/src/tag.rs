//! NFC tags: a secret URL on the shelf that takes one or puts one back (seed 000).

use std::fmt;

use jiff::Timestamp;
use thiserror::Error;

use crate::{
    Delta, HouseholdId, ItemId, ItemName, Quantity, QuantityError, UserId,
    entity::{Field, FieldError, FieldSink, FieldSource, entity, field, required},
};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The last part of a tag's URL: 128 bits as 22 base62 characters. It permits taps, so it does not
/// print; [`UrlId::reveal`] is the only way to its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlId(u128);

/// The text is no tag's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have 22 letters and digits")]
pub struct InvalidUrlId;

impl UrlId {
    /// How many characters it has.
    pub const LENGTH: usize = 22;

    /// An id of our own making: UUID v4 from 16 random bytes.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid().as_u128())
    }

    /// Parses exactly 22 base62 characters that encode at most 128 bits.
    pub fn parse(text: &str) -> Result<Self, InvalidUrlId> {
        if text.len() != Self::LENGTH {
            return Err(InvalidUrlId);
        }
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'A'..=b'Z' => Some(byte - b'A' + 10),
            b'a'..=b'z' => Some(byte - b'a' + 36),
            _ => None,
        };
        let add =
            |value: u128, byte: u8| value.checked_mul(62)?.checked_add(u128::from(digit(byte)?));
        text.bytes().try_fold(0, add).map(Self).ok_or(InvalidUrlId)
    }

    /// The 22 characters, for the address itself and for records.
    pub fn reveal(self) -> String {
        let mut digits = [b'0'; Self::LENGTH];
        let mut rest = self.0;
        for digit in digits.iter_mut().rev() {
            *digit = BASE62[usize::try_from(rest % 62).expect("a remainder of 62 is small")];
            rest /= 62;
        }
        digits.iter().copied().map(char::from).collect()
    }

    /// The sixteen bytes, for keyed digests and lookups.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

/// Kept out of logs.
impl fmt::Debug for UrlId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UrlId(secret)")
    }
}

/// The quantity that one tap takes or puts back: above 0, up to 1000, two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TagStep(i64);

/// Why a number is no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidStep {
    /// Not a number with at most two decimals.
    #[error(transparent)]
    Number(#[from] QuantityError),
    /// 0, or too large.
    #[error("must be more than 0 and at most 1000")]
    OutOfRange,
}

impl TagStep {
    /// One.
    pub const ONE: Self = Self(100);

    /// A step from hundredths.
    pub const fn from_hundredths(hundredths: i64) -> Result<Self, InvalidStep> {
        match hundredths {
            1..=100_000 => Ok(Self(hundredths)),
            _ => Err(InvalidStep::OutOfRange),
        }
    }

    /// Reads a decimal literal exactly, as JSON writes numbers.
    pub fn parse(literal: &str) -> Result<Self, InvalidStep> {
        Self::from_hundredths(Quantity::parse(literal)?.hundredths())
    }

    /// The step in hundredths.
    pub const fn hundredths(self) -> i64 {
        self.0
    }
}

impl Default for TagStep {
    fn default() -> Self {
        Self::ONE
    }
}

/// The direction of a tap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TapDirection {
    /// Takes one step: `delta` -1.
    Take,
    /// Puts one step back: `delta` 1.
    PutBack,
}

/// A delta that is neither 1 nor -1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be 1 or -1")]
pub struct InvalidTapDelta;

impl TapDirection {
    /// Parses `1` or `-1`, and no other spelling.
    pub fn parse(literal: &str) -> Result<Self, InvalidTapDelta> {
        match literal {
            "-1" => Ok(Self::Take),
            "1" => Ok(Self::PutBack),
            _ => Err(InvalidTapDelta),
        }
    }

    /// By how much a tap with this step changes the quantity.
    pub fn delta(self, step: TagStep) -> Delta {
        let hundredths = match self {
            Self::Take => -step.hundredths(),
            Self::PutBack => step.hundredths(),
        };
        Delta::from_hundredths(hundredths).expect("a step is within the limits of a delta")
    }
}

/// Identifies one tap, for detecting retries: 8–64 characters of `A-Z a-z 0-9 _ -`. It does not
/// print: it gives access to the tap's result.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TapNonce(String);

/// The text is no nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have 8 to 64 characters of A-Z a-z 0-9 _ -")]
pub struct InvalidNonce;

impl TapNonce {
    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidNonce> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let fits = (8..=64).contains(&text.len()) && text.bytes().all(is_allowed);
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidNonce) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Kept out of logs.
impl fmt::Debug for TapNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TapNonce(secret)")
    }
}

/// The replacement of a tag. Irreversible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagRotation {
    /// The time.
    pub at: Timestamp,
    /// By whom.
    pub by: UserId,
}

/// A tag: one secret address of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NfcUrl {
    /// The last part of its URL.
    pub id: UrlId,
    /// The item that it changes.
    pub item: ItemId,
    /// The household.
    pub household: HouseholdId,
    /// The name of the item, denormalised so that a page needs one read.
    pub item_name: ItemName,
    /// The household's label for the tag.
    pub label: Option<crate::TagLabel>,
    /// The quantity of one tap.
    pub step: TagStep,
    /// Set when it was replaced; it is active until then.
    pub rotated: Option<TagRotation>,
    /// The user who created it.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its page was opened last.
    pub last_accessed_at: Option<Timestamp>,
    /// How often its page was opened.
    pub access_count: u64,
}

entity! {
    NfcUrl {
        id: "urlId",
        item: "itemId",
        household: "householdId",
        item_name: "itemName",
        label: "label",
        step: "step",
        rotated: "rotated",
        created_by: "createdBy",
        created_at: "createdAt",
        last_accessed_at: "lastAccessedAt",
        access_count: "accessCount",
    }
}

field! { UrlId: text(|id| &id.reveal(), Self::parse) }

/// The usual step is absent.
impl Field for TagStep {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        if *self == Self::ONE {
            to.absent(name);
        } else {
            to.hundredths(name, self.hundredths());
        }
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let step = from.hundredths(name)?.map_or(Ok(Self::ONE), Self::from_hundredths);
        step.map(Some).map_err(|error| FieldError::new(name, error))
    }
}

/// Time and user are separate fields.
impl Field for TagRotation {
    fn write(&self, _: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        let Self { at, by } = self;
        at.write("rotatedAt", to);
        by.write("rotatedBy", to);
    }

    fn write_absent(_: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.absent("rotatedAt");
        to.absent("rotatedBy");
    }

    fn read(
        _: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let Some(at) = Timestamp::read("rotatedAt", from)? else { return Ok(None) };
        Ok(Some(Self { at, by: required("rotatedBy", from)? }))
    }
}

/// What to change about a tag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagPatch {
    /// Another label, or none; absent: as it is.
    pub label: Option<Option<crate::TagLabel>>,
    /// Another quantity of one tap; absent: as it is.
    pub step: Option<TagStep>,
}

impl TagPatch {
    /// Whether it leaves everything as it is.
    pub const fn is_empty(&self) -> bool {
        self.label.is_none() && self.step.is_none()
    }
}

impl NfcUrl {
    /// Whether it still works.
    pub const fn is_active(&self) -> bool {
        self.rotated.is_none()
    }
}

/// The place of a tag in lists, which are newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TagPosition {
    /// When it was made.
    pub created_at: Timestamp,
    /// Which of those made at that moment.
    pub id: UrlId,
}

impl TagPosition {
    /// The place of this tag.
    pub const fn of(tag: &NfcUrl) -> Self {
        Self { created_at: tag.created_at, id: tag.id }
    }
}

#[cfg(test)]
mod tests;
