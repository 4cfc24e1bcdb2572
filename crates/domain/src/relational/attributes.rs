//! Attributes of a resource: JSON with exact numbers, within the limits of every engine.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use thiserror::Error;

use crate::{Number, NumberError};

/// The most bytes of all attributes of a resource, counted as DynamoDB counts.
pub const MAX_ATTRIBUTE_BYTES: usize = 350 * 1024;
/// How deep attributes may nest; the object of all attributes is the first level.
pub const MAX_ATTRIBUTE_DEPTH: usize = 32;
const MAX_NAME_BYTES: usize = 255;

/// Names that records have for themselves.
const RESERVED_PREFIXES: [&str; 4] = ["_", "PK", "SK", "GSI"];
const RESERVED_NAMES: [&str; 1] = ["urn"];

/// A value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeValue {
    /// Explicitly null.
    Null,
    /// True or false.
    Bool(bool),
    /// An exact decimal number.
    Number(Number),
    /// Text.
    Text(String),
    /// Several values.
    List(Vec<AttributeValue>),
    /// Values by name.
    Map(BTreeMap<String, AttributeValue>),
}

/// The attributes of a resource, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes(BTreeMap<String, AttributeValue>);

/// Why values cannot be the attributes of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AttributesError {
    /// Not JSON, or no object.
    #[error("must be a JSON object")]
    Syntax,
    /// Over the limit of bytes.
    #[error("must have at most 350 KB")]
    TooLarge,
    /// Over the limit of levels.
    #[error("must not nest deeper than 32 levels")]
    TooDeep,
    /// A name that records have for themselves.
    #[error("{0:?}: names must not begin with _, PK, SK or GSI, nor be urn")]
    ReservedName(String),
    /// An empty or too long name.
    #[error("names must have 1 to 255 bytes")]
    Name,
    /// A name twice in one object.
    #[error("{0:?} is there twice")]
    Twice(String),
    /// A number that some engines cannot store.
    #[error("numbers must have at most 38 digits and a magnitude from 1e-130 to below 1e126")]
    Number,
    /// U+0000, which some engines cannot store.
    #[error("texts must not contain the character U+0000")]
    Nul,
}

impl Attributes {
    /// Validates the values.
    pub fn new(values: BTreeMap<String, AttributeValue>) -> Result<Self, AttributesError> {
        for name in values.keys() {
            let reserved = RESERVED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
                || RESERVED_NAMES.contains(&name.as_str());
            if reserved {
                return Err(AttributesError::ReservedName(name.clone()));
            }
        }
        let mut bytes = 0;
        check_map(&values, 1, &mut bytes)?;
        Ok(Self(values))
    }

    /// Parses a JSON object. Numbers keep every digit.
    pub fn from_json(json: &str) -> Result<Self, AttributesError> {
        // Larger JSON cannot fit, even if every character is escaped.
        if json.len() > 6 * MAX_ATTRIBUTE_BYTES {
            return Err(AttributesError::TooLarge);
        }
        match read(json, 1)? {
            AttributeValue::Map(values) => Self::new(values),
            _ => Err(AttributesError::Syntax),
        }
    }

    /// The attributes as a JSON object, in the order of their names.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        write_map(&self.0, &mut json);
        json
    }

    /// The attributes, in the order of their names.
    pub fn iter(&self) -> std::collections::btree_map::Iter<'_, String, AttributeValue> {
        self.0.iter()
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.0.get(name)
    }

    /// The values by name, to be changed and checked again.
    pub fn into_inner(self) -> BTreeMap<String, AttributeValue> {
        self.0
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = (&'a String, &'a AttributeValue);
    type IntoIter = std::collections::btree_map::Iter<'a, String, AttributeValue>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Checks names, texts, depth and size in one pass, and stops at the first that is wrong.
fn check_map(
    values: &BTreeMap<String, AttributeValue>,
    depth: usize,
    bytes: &mut usize,
) -> Result<(), AttributesError> {
    count(3, bytes)?;
    if depth > MAX_ATTRIBUTE_DEPTH {
        return Err(AttributesError::TooDeep);
    }
    for (name, value) in values {
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(AttributesError::Name);
        }
        check_text(name)?;
        count(name.len() + 1, bytes)?;
        check_value(value, depth, bytes)?;
    }
    Ok(())
}

fn check_value(
    value: &AttributeValue,
    depth: usize,
    bytes: &mut usize,
) -> Result<(), AttributesError> {
    match value {
        AttributeValue::Null | AttributeValue::Bool(_) => count(1, bytes),
        // Two digits a byte, sign and exponent.
        AttributeValue::Number(_) => count(21, bytes),
        AttributeValue::Text(text) => {
            check_text(text)?;
            count(text.len(), bytes)
        }
        AttributeValue::List(values) => {
            count(3 + values.len(), bytes)?;
            if depth == MAX_ATTRIBUTE_DEPTH {
                return Err(AttributesError::TooDeep);
            }
            values.iter().try_for_each(|value| check_value(value, depth + 1, bytes))
        }
        AttributeValue::Map(values) => check_map(values, depth + 1, bytes),
    }
}

fn check_text(text: &str) -> Result<(), AttributesError> {
    if text.contains('\0') { Err(AttributesError::Nul) } else { Ok(()) }
}

fn count(more: usize, bytes: &mut usize) -> Result<(), AttributesError> {
    *bytes += more;
    if *bytes > MAX_ATTRIBUTE_BYTES { Err(AttributesError::TooLarge) } else { Ok(()) }
}

/// Parses one value level by level, which preserves the digits of numbers and checks the depth
/// before descending.
fn read(json: &str, depth: usize) -> Result<AttributeValue, AttributesError> {
    let json = json.trim_ascii();
    match json.as_bytes().first() {
        Some(b'{' | b'[') if depth > MAX_ATTRIBUTE_DEPTH => Err(AttributesError::TooDeep),
        Some(b'{') => {
            let Entries(entries) = parse(json)?;
            let mut values = BTreeMap::new();
            for (name, raw) in entries {
                let value = read(raw.get(), depth + 1)?;
                if values.insert(name.clone(), value).is_some() {
                    return Err(AttributesError::Twice(name));
                }
            }
            Ok(AttributeValue::Map(values))
        }
        Some(b'[') => {
            let raw: Vec<&RawValue> = parse(json)?;
            let values = raw.into_iter().map(|raw| read(raw.get(), depth + 1));
            values.collect::<Result<_, _>>().map(AttributeValue::List)
        }
        Some(b'"') => parse(json).map(AttributeValue::Text),
        Some(b't' | b'f') => parse(json).map(AttributeValue::Bool),
        Some(b'n') => parse::<()>(json).map(|()| AttributeValue::Null),
        Some(b'-' | b'0'..=b'9') => {
            parse::<serde::de::IgnoredAny>(json)?;
            json.parse().map(AttributeValue::Number).map_err(|error| match error {
                NumberError::Range => AttributesError::Number,
                NumberError::Syntax => AttributesError::Syntax,
            })
        }
        _ => Err(AttributesError::Syntax),
    }
}

fn parse<'json, T: serde::Deserialize<'json>>(json: &'json str) -> Result<T, AttributesError> {
    serde_json::from_str(json).map_err(|_| AttributesError::Syntax)
}

/// The entries of an object as they were written, repeated names included.
struct Entries<'json>(Vec<(String, &'json RawValue)>);

impl<'de> serde::Deserialize<'de> for Entries<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl AttributeValue {
    /// The value as JSON.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        write_value(self, &mut json);
        json
    }
}

fn write_value(value: &AttributeValue, json: &mut String) {
    match value {
        AttributeValue::Null => json.push_str("null"),
        AttributeValue::Bool(flag) => json.push_str(if *flag { "true" } else { "false" }),
        AttributeValue::Number(number) => json.push_str(&number.to_string()),
        AttributeValue::Text(text) => write_text(text, json),
        AttributeValue::List(values) => {
            json.push('[');
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    json.push(',');
                }
                write_value(value, json);
            }
            json.push(']');
        }
        AttributeValue::Map(values) => write_map(values, json),
    }
}

fn write_map(values: &BTreeMap<String, AttributeValue>, json: &mut String) {
    json.push('{');
    for (at, (name, value)) in values.iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        write_text(name, json);
        json.push(':');
        write_value(value, json);
    }
    json.push('}');
}

fn write_text(text: &str, json: &mut String) {
    json.push_str(&serde_json::Value::from(text).to_string());
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
