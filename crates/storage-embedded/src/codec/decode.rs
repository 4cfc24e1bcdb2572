//! From bytes to record. Any bytes give a record or an error, never a panic or an allocation larger than
//! the input deserves.

use std::borrow::Cow;

use larder_storage_item::{Key, KeyNames, Name, Number, Record, Value};
use thiserror::Error;

use super::{MAX_DEPTH, names, tag};

/// Why bytes are not a valid record.
#[derive(Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub(crate) struct DecodeError(pub(crate) &'static str);

const TRUNCATED: DecodeError = DecodeError("the bytes end within a value");

/// The record of these bytes, with its primary key back in place.
pub(crate) fn decode(names: KeyNames, key: &Key, bytes: &[u8]) -> Result<Record, DecodeError> {
    let mut input = Input::new(bytes);
    let count = input.count(2)?;
    let mut attributes: Vec<(Name, Value)> = Vec::with_capacity(count + 2);
    // The partition key's name sorts before the sort key's in every table.
    let parts = [(Some(names.pk), key.pk.as_str()), (names.sk, key.sk.as_str())];
    let mut keys = parts.into_iter().filter_map(|(name, text)| Some((name?, text))).peekable();
    for _ in 0..count {
        let name = input.name()?;
        while let Some((key, text)) = keys.next_if(|(key, _)| *key < name.as_ref()) {
            attributes.push((Cow::Borrowed(key), Value::S(text.to_owned())));
        }
        attributes.push((name, input.value(MAX_DEPTH)?));
    }
    attributes.extend(keys.map(|(key, text)| (Cow::Borrowed(key), Value::S(text.to_owned()))));
    input.end()?;
    // A body that holds a key attribute shows up here as a duplicate name.
    Record::from_sorted(attributes).ok_or(DecodeError("names are out of order"))
}

/// The undecoded rest of the input.
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Fails unless all input was consumed.
    pub(crate) fn end(&self) -> Result<(), DecodeError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(DecodeError("bytes are left over")) }
    }

    /// Steps over the next byte if it is this one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let rest = self.bytes.strip_prefix(&[byte]);
        self.bytes = rest.unwrap_or(self.bytes);
        rest.is_some()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.bytes.split_first().ok_or(TRUNCATED)?;
        self.bytes = rest;
        Ok(*first)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (first, rest) = self.bytes.split_first_chunk().ok_or(TRUNCATED)?;
        self.bytes = rest;
        Ok(*first)
    }

    pub(crate) fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DecodeError("a number is too long"))
    }

    /// A count of elements of at least this many bytes each: no more than the input can hold.
    pub(crate) fn count(&mut self, bytes_each: usize) -> Result<usize, DecodeError> {
        let count = usize::try_from(self.varint()?).map_err(|_| TRUNCATED)?;
        if count > self.bytes.len() / bytes_each { Err(TRUNCATED) } else { Ok(count) }
    }

    /// The next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (first, rest) = self.bytes.split_at_checked(count).ok_or(TRUNCATED)?;
        self.bytes = rest;
        Ok(first)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, DecodeError> {
        let length = self.count(1)?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| DecodeError("a text is not UTF-8"))
    }

    pub(super) fn name(&mut self) -> Result<Name, DecodeError> {
        match self.byte()? {
            0 => Ok(Cow::Owned(self.text()?.to_owned())),
            number => names::name_of(number)
                .map(Cow::Borrowed)
                .ok_or(DecodeError("a name is not in the dictionary")),
        }
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<Value, DecodeError> {
        match self.byte()? {
            tag::NULL => Ok(Value::Null),
            tag::FALSE => Ok(Value::Bool(false)),
            tag::TRUE => Ok(Value::Bool(true)),
            tag::TEXT => Ok(Value::S(self.text()?.to_owned())),
            tag::BYTES => {
                let length = self.count(1)?;
                Ok(Value::B(self.bytes(length)?.to_vec()))
            }
            tag::LIST => {
                let depth = deeper(depth)?;
                let count = self.count(1)?;
                (0..count).map(|_| self.value(depth)).collect::<Result<_, _>>().map(Value::L)
            }
            tag::MAP => {
                let depth = deeper(depth)?;
                let count = self.count(2)?;
                let attributes = (0..count)
                    .map(|_| Ok((self.name()?, self.value(depth)?)))
                    .collect::<Result<_, _>>()?;
                Record::from_sorted(attributes)
                    .map(Value::M)
                    .ok_or(DecodeError("names are out of order"))
            }
            tag::WHOLE => number(zagzig(self.varint()?).into(), 0),
            tag::DECIMAL => {
                let exponent = i8::from_le_bytes(self.array()?);
                number(zagzig(self.varint()?).into(), exponent.into())
            }
            tag::WIDE => {
                let exponent = i16::from_le_bytes(self.array()?);
                number(i128::from_le_bytes(self.array()?), exponent)
            }
            _ => Err(DecodeError("a value is of no known kind")),
        }
    }
}

fn deeper(depth: usize) -> Result<usize, DecodeError> {
    depth.checked_sub(1).ok_or(DecodeError("values are nested too deep"))
}

fn number(mantissa: i128, exponent: i16) -> Result<Value, DecodeError> {
    Number::new(mantissa, exponent.into())
        .map(Value::N)
        .map_err(|_| DecodeError("a number is out of range"))
}

pub(crate) const fn zagzig(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}
