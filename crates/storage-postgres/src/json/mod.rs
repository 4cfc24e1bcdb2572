//! Rows as JSON: in the triggers' change records, and in results stored under idempotency keys. The
//! names are those of the columns; numbers keep their decimals and are never floats.

mod resource;

use std::{borrow::Cow, collections::BTreeMap};

use jiff::Timestamp;
use larder_domain::{Entity, FieldError, FieldSink, FieldSource, Quantity};
use larder_storage::{Result, StorageError};
use serde::Serialize;
use serde_json::value::RawValue;

pub(crate) use resource::ResourceJson;

/// Columns whose name differs from the field's. A row has only one of a field's aliases.
const ALIASES: [(&str, &str); 6] = [
    ("userId", "created_by"),
    ("userId", "id"),
    ("shoppingItemId", "id"),
    ("notificationId", "id"),
    ("expirationDate", "expires_on"),
    ("step", "step_hundredths"),
];

/// Reads the entity from the JSON of its row.
pub(crate) fn decode<T: Entity>(text: &str) -> Result<T> {
    T::read(&JsonRow::parse(text)?).map_err(|FieldError { name, reason }| corrupt(name, &reason))
}

pub(crate) fn corrupt(column: &str, reason: &str) -> StorageError {
    let (record, reason) = (column.to_owned(), reason.to_owned());
    StorageError::Corrupt { record, reason }
}

/// `householdId` as `household_id`.
fn snake_case(name: &str) -> String {
    let mut column = String::with_capacity(name.len() + 4);
    for char in name.chars() {
        if char.is_ascii_uppercase() {
            column.push('_');
        }
        column.push(char.to_ascii_lowercase());
    }
    column
}

/// A row as JSON.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub(crate) struct JsonRow(BTreeMap<String, Box<RawValue>>);

impl JsonRow {
    pub(crate) fn of(entity: &impl Entity) -> Self {
        let mut row = Self::default();
        entity.write(&mut row);
        row
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let row = serde_json::from_str(text);
        row.map(Self).map_err(|error| corrupt("a stored row", &error.to_string()))
    }

    /// The column of a field and its JSON; `None` if it is null or absent.
    fn get(&self, name: &str) -> Option<(&str, &str)> {
        let aliases = ALIASES.iter().filter(|(field, _)| *field == name);
        let columns = aliases.map(|(_, column)| Cow::Borrowed(*column));
        let column = [Cow::Owned(snake_case(name))].into_iter().chain(columns);
        let (column, json) = column.into_iter().find_map(|name| self.0.get_key_value(&*name))?;
        (json.get() != "null").then_some((column, json.get()))
    }

    fn read<T, E: ToString>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str, &str) -> Result<T, E>,
    ) -> Result<Option<T>, FieldError> {
        let Some((column, json)) = self.get(name) else { return Ok(None) };
        read(column, json).map(Some).map_err(|error| FieldError::new(name, error.to_string()))
    }

    fn set(&mut self, name: &str, value: &impl Serialize) {
        let json = serde_json::value::to_raw_value(value).expect("plain values print as JSON");
        self.0.insert(snake_case(name), json);
    }
}

impl FieldSink for JsonRow {
    fn text(&mut self, name: &'static str, text: &str) {
        self.set(name, &text);
    }

    fn texts(&mut self, name: &'static str, texts: &[&str]) {
        self.set(name, &texts);
    }

    /// In milliseconds, like the tables.
    fn time(&mut self, name: &'static str, at: Timestamp) {
        self.set(name, &format!("{at:.3}"));
    }

    fn hundredths(&mut self, name: &'static str, hundredths: i64) {
        let sign = if hundredths < 0 { "-" } else { "" };
        let hundredths = hundredths.unsigned_abs();
        let number = format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100);
        self.set(name, &RawValue::from_string(number).expect("decimals are JSON numbers"));
    }

    fn count(&mut self, name: &'static str, count: u64) {
        self.set(name, &count);
    }

    fn flag(&mut self, name: &'static str, flag: bool) {
        self.set(name, &flag);
    }

    fn absent(&mut self, name: &'static str) {
        self.set(name, &());
    }
}

impl FieldSource for JsonRow {
    fn text(&self, name: &'static str) -> Result<Option<Cow<'_, str>>, FieldError> {
        self.read(name, |_, json| serde_json::from_str(json).map(Cow::Owned))
    }

    fn texts(&self, name: &'static str) -> Result<Option<Vec<Cow<'_, str>>>, FieldError> {
        let texts = self.read(name, |_, json| serde_json::from_str::<Vec<String>>(json))?;
        Ok(texts.map(|texts| texts.into_iter().map(Cow::Owned).collect()))
    }

    fn time(&self, name: &'static str) -> Result<Option<Timestamp>, FieldError> {
        self.read(name, |_, json| json.trim_matches('"').parse::<Timestamp>())
    }

    fn hundredths(&self, name: &'static str) -> Result<Option<i64>, FieldError> {
        self.read(name, |column, json| {
            if column.ends_with("_hundredths") {
                return json.parse().map_err(|error: std::num::ParseIntError| error.to_string());
            }
            Quantity::parse(json).map(Quantity::hundredths).map_err(|error| error.to_string())
        })
    }

    fn count(&self, name: &'static str) -> Result<Option<u64>, FieldError> {
        self.read(name, |_, json| json.parse::<u64>())
    }

    fn flag(&self, name: &'static str) -> Result<Option<bool>, FieldError> {
        self.read(name, |_, json| json.parse::<bool>())
    }
}
