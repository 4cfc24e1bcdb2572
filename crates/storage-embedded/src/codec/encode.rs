//! From record to bytes.

use larder_storage_item::{KeyNames, Number, Record, Value};

use super::{names, tag};

/// The bytes of a record, without its primary key.
pub(crate) fn encode(key: KeyNames, record: &Record) -> Vec<u8> {
    let is_key = |name: &str| name == key.pk || key.sk.is_some_and(|sk| name == sk);
    let keys = record.iter().filter(|(name, _)| is_key(name)).count();
    let mut out = Vec::with_capacity(24 * record.iter().len());
    varint(&mut out, (record.iter().len() - keys) as u64);
    for (name, value) in record.iter().filter(|(name, _)| !is_key(name)) {
        attribute(&mut out, name, value);
    }
    out
}

fn attribute(out: &mut Vec<u8>, name: &str, value: &Value) {
    self::name(out, name);
    self::value(out, value);
}

pub(super) fn name(out: &mut Vec<u8>, name: &str) {
    if let Some(number) = names::number_of(name) {
        out.push(number);
    } else {
        out.push(0);
        text(out, name);
    }
}

pub(super) fn value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => out.push(tag::NULL),
        Value::Bool(false) => out.push(tag::FALSE),
        Value::Bool(true) => out.push(tag::TRUE),
        Value::S(content) => {
            out.push(tag::TEXT);
            text(out, content);
        }
        Value::B(content) => {
            out.push(tag::BYTES);
            varint(out, content.len() as u64);
            out.extend_from_slice(content);
        }
        Value::N(content) => number(out, *content),
        Value::L(elements) => {
            out.push(tag::LIST);
            varint(out, elements.len() as u64);
            for element in elements {
                self::value(out, element);
            }
        }
        Value::M(record) => {
            out.push(tag::MAP);
            varint(out, record.iter().len() as u64);
            for (name, value) in record.iter() {
                attribute(out, name, value);
            }
        }
    }
}

fn number(out: &mut Vec<u8>, number: Number) {
    match (i8::try_from(number.exponent()), i64::try_from(number.mantissa())) {
        (Ok(0), Ok(mantissa)) => {
            out.push(tag::WHOLE);
            varint(out, zigzag(mantissa));
        }
        (Ok(exponent), Ok(mantissa)) => {
            out.push(tag::DECIMAL);
            out.extend_from_slice(&exponent.to_le_bytes());
            varint(out, zigzag(mantissa));
        }
        _ => {
            out.push(tag::WIDE);
            out.extend_from_slice(&number.exponent().to_le_bytes());
            out.extend_from_slice(&number.mantissa().to_le_bytes());
        }
    }
}

pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Small magnitudes of either sign become small unsigned numbers.
pub(crate) const fn zigzag(value: i64) -> u64 {
    (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned()
}

pub(crate) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}
