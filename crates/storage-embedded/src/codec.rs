//! The binary form of a record: exact, compact, one pass each way, and one form only for each record, so
//! that equal bytes mean equal records.
//!
//! A map is a varint count followed by its attributes in the order of their names. A name is the number of
//! a dictionary entry, or 0 and a literal text. A value is a tag and its content. The attributes of the primary
//! key are columns of the row and not repeated.

mod decode;
mod difference;
mod encode;
mod names;
#[cfg(test)]
mod tests;

pub(crate) use decode::{DecodeError, Input, decode, zagzig};
pub(crate) use difference::{encode_difference, revert};
pub(crate) use encode::{encode, text, varint, zigzag};

/// How deep maps and lists may nest: `DynamoDB`'s limit.
pub(crate) const MAX_DEPTH: usize = 32;

/// The tag before each value. Append only.
mod tag {
    pub(super) const NULL: u8 = 0;
    pub(super) const FALSE: u8 = 1;
    pub(super) const TRUE: u8 = 2;
    pub(super) const TEXT: u8 = 3;
    pub(super) const LIST: u8 = 4;
    pub(super) const MAP: u8 = 5;
    /// A zigzag varint.
    pub(super) const WHOLE: u8 = 6;
    /// An exponent of one byte and a zigzag varint.
    pub(super) const DECIMAL: u8 = 7;
    /// An exponent of two bytes and a mantissa of sixteen, little-endian.
    pub(super) const WIDE: u8 = 8;
    pub(super) const BYTES: u8 = 9;
}
