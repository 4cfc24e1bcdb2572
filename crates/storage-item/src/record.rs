//! A record: the attributes under one key of a table.

use std::{borrow::Cow, cmp::Ordering};

use larder_storage::StorageError;

use crate::{Number, Table, key_label};

/// The name of an attribute. Names used by the layouts are static; only foreign ones are owned.
pub type Name = Cow<'static, str>;

/// The value of an attribute: DynamoDB's types, reduced to those that the layouts use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text.
    S(String),
    /// Bytes.
    B(Vec<u8>),
    /// An exact decimal number.
    N(Number),
    /// True or false.
    Bool(bool),
    /// Null, which differs from absent.
    Null,
    /// A list.
    L(Vec<Value>),
    /// A record within a record.
    M(Record),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::S(text)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::N(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

/// One table per kind of primary key, ordered so that the first match is a record's own table:
/// readings contain a batch id, and both contain a device.
const KEYS_TOLD_APART: [Table; 5] = [
    Table::InventoryManagement,
    Table::DeviceReadings,
    Table::ProcessedBatches,
    Table::ApiKeys,
    Table::Devices,
];

/// Up to this many attributes are searched linearly.
const LINEAR_SEARCH: usize = 48;

/// A row of a table: attributes by name, in the order of their names.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Record(Vec<(Name, Value)>);

impl Record {
    /// A record without attributes.
    pub fn new() -> Self {
        Self::default()
    }

    /// A record from attributes in strict order of their names, as a codec reads them. `None` if
    /// they are not.
    pub fn from_sorted(attributes: Vec<(Name, Value)>) -> Option<Self> {
        attributes.is_sorted_by(|a, b| a.0 < b.0).then_some(Self(attributes))
    }

    /// The record with this attribute set.
    #[must_use]
    pub fn with(mut self, name: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// The record with this attribute, which is omitted if there is no value.
    #[must_use]
    pub fn with_some(self, name: impl Into<Name>, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Sets one attribute.
    pub fn set(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        match self.position(&name) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// Removes one attribute and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.position(name).ok().map(|at| self.0.remove(at).1)
    }

    /// The value of one attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        if self.0.len() > LINEAR_SEARCH {
            return self.position(name).ok().map(|at| &self.0[at].1);
        }
        // Records have some twenty attributes, whose names usually differ in length or at one of
        // their ends: a linear search compares fewer bytes than a binary one.
        let name = name.as_bytes();
        for (held, value) in &self.0 {
            let held = held.as_bytes();
            match held.first().cmp(&name.first()) {
                Ordering::Less => {}
                Ordering::Greater => break,
                Ordering::Equal => {
                    if held.len() == name.len() && held.last() == name.last() && held == name {
                        return Some(value);
                    }
                }
            }
        }
        None
    }

    /// A text attribute, if it exists and is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Value::S(text)) => Some(text),
            _ => None,
        }
    }

    /// A number attribute, if it exists and is a number.
    pub fn number(&self, name: &str) -> Option<Number> {
        match self.get(name) {
            Some(Value::N(number)) => Some(*number),
            _ => None,
        }
    }

    /// All attributes in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// The error for a record that violates its layout.
    pub fn misfit(&self, reason: impl Into<String>) -> StorageError {
        let key = KEYS_TOLD_APART.into_iter().find_map(|table| table.key_of(self));
        let (pk, sk) = key.as_ref().map_or(("(no key)", ""), |key| (&key.pk, &key.sk));
        StorageError::Corrupt { record: key_label(pk, sk), reason: reason.into() }
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(held, _)| held.as_ref().cmp(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_stand_in_the_order_of_their_names() {
        let record = Record::new().with("SK", "s").with("PK", "p").with("a", true).with("SK", "t");
        let names: Vec<_> = record.iter().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names, ["PK", "SK", "a"]);
        assert_eq!(record.text("SK"), Some("t"));
    }

    #[test]
    fn attributes_are_found_in_small_and_large_records() {
        for count in [0, 1, LINEAR_SEARCH, LINEAR_SEARCH + 1, 200] {
            let names = (0..count).map(|n| format!("a{n}"));
            let record = names.clone().fold(Record::new(), |r, name| r.with(name.clone(), name));
            for name in names {
                assert_eq!(record.text(&name), Some(name.as_str()), "{count}");
            }
            assert_eq!(record.get("a"), None, "{count}");
            assert_eq!(record.get("b1"), None, "{count}");
        }
    }

    #[test]
    fn a_codec_cannot_bring_in_disorder() {
        let twice = vec![("a".into(), Value::Null), ("a".into(), Value::Null)];
        assert_eq!(Record::from_sorted(twice), None);
    }
}
