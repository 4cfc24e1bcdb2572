//! Entities as records: their public names and those of the attributes.

use std::borrow::{Borrow, Cow};

use jiff::Timestamp;
use larder_domain::{Entity, FieldError, FieldSink, FieldSource};
use larder_storage::{Result, StoredEntity};

use super::fields::{
    count_number, hundredths_number, parse_timestamp, seconds_number, timestamp_text,
};
use crate::{Record, Value};

/// The attribute that expires a record, in whole seconds.
const TTL: &str = "ttl";

/// How the records of an entity differ from its description.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Public names that differ from the names of their attributes.
    pub(crate) renamed: &'static [(&'static str, &'static str)],
    /// Whether an empty field is `Null`; otherwise it is left out.
    pub(crate) writes_null: bool,
}

impl Layout {
    fn attribute(self, name: &'static str) -> &'static str {
        self.renamed.iter().find(|(public, _)| *public == name).map_or(name, |(_, own)| own)
    }

    /// The record with every field of the entity.
    pub(crate) fn write(self, entity: &impl Entity, record: Record) -> Record {
        let mut sink = RecordSink { record, layout: self };
        entity.write(&mut sink);
        sink.record
    }

    pub(crate) fn read<T: Entity>(self, record: &Record) -> Result<T> {
        let fields = RecordFields { record, layout: self };
        T::read(&fields).map_err(|error| {
            record.misfit(format!("{} {}", self.attribute(error.name), error.reason))
        })
    }

    /// The entity of this record, to be read later.
    pub(crate) fn stored(self, record: Record) -> StoredEntity {
        StoredEntity::Fields(Box::new(RecordFields { record, layout: self }))
    }
}

struct RecordSink {
    record: Record,
    layout: Layout,
}

impl RecordSink {
    fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.record.set(self.layout.attribute(name), value);
    }
}

impl FieldSink for RecordSink {
    fn text(&mut self, name: &'static str, text: &str) {
        self.set(name, text);
    }

    /// Records from before the field was there have none.
    fn default_text(&mut self, _: &'static str, _: &str) {}

    fn texts(&mut self, name: &'static str, texts: &[&str]) {
        if !texts.is_empty() {
            let texts = texts.iter().map(|text| Value::from(*text)).collect();
            self.set(name, Value::L(texts));
        }
    }

    fn time(&mut self, name: &'static str, at: Timestamp) {
        if self.layout.attribute(name) == TTL {
            self.set(name, seconds_number(at));
        } else {
            self.set(name, timestamp_text(at));
        }
    }

    fn hundredths(&mut self, name: &'static str, hundredths: i64) {
        self.set(name, hundredths_number(hundredths));
    }

    fn count(&mut self, name: &'static str, count: u64) {
        self.set(name, count_number(count));
    }

    fn flag(&mut self, name: &'static str, flag: bool) {
        self.set(name, flag);
    }

    fn default_flag(&mut self, _: &'static str, _: bool) {}

    fn absent(&mut self, name: &'static str) {
        if self.layout.writes_null {
            self.set(name, Value::Null);
        }
    }
}

struct RecordFields<R> {
    record: R,
    layout: Layout,
}

impl<R: Borrow<Record>> RecordFields<R> {
    fn get(&self, name: &'static str) -> Option<&Value> {
        let value = self.record.borrow().get(self.layout.attribute(name));
        value.filter(|value| **value != Value::Null)
    }

    fn number<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(crate::Number) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, FieldError> {
        let error = || FieldError::new(name, format!("is no {expected}"));
        match self.get(name) {
            None => Ok(None),
            Some(Value::N(number)) => read(*number).map(Some).ok_or_else(error),
            Some(_) => Err(error()),
        }
    }
}

impl<R: Borrow<Record>> FieldSource for RecordFields<R> {
    fn text(&self, name: &'static str) -> Result<Option<Cow<'_, str>>, FieldError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::S(text)) => Ok(Some(Cow::Borrowed(text))),
            Some(_) => Err(FieldError::new(name, "is no text")),
        }
    }

    fn texts(&self, name: &'static str) -> Result<Option<Vec<Cow<'_, str>>>, FieldError> {
        let error = || FieldError::new(name, "is no list of texts");
        let Some(value) = self.get(name) else { return Ok(None) };
        let Value::L(values) = value else { return Err(error()) };
        let texts = values.iter().map(|value| match value {
            Value::S(text) => Ok(Cow::Borrowed(text.as_str())),
            _ => Err(error()),
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    fn time(&self, name: &'static str) -> Result<Option<Timestamp>, FieldError> {
        if self.layout.attribute(name) == TTL {
            let second = |number: crate::Number| Timestamp::from_second(number.to_i64()?).ok();
            return self.number(name, second, "second");
        }
        let Some(text) = self.text(name)? else { return Ok(None) };
        parse_timestamp(&text).map(Some).map_err(|error| FieldError::new(name, error))
    }

    fn hundredths(&self, name: &'static str) -> Result<Option<i64>, FieldError> {
        self.number(name, crate::Number::to_hundredths, "number with at most two decimals")
    }

    fn count(&self, name: &'static str) -> Result<Option<u64>, FieldError> {
        let count = |number: crate::Number| u64::try_from(number.to_i64()?).ok();
        self.number(name, count, "count")
    }

    fn flag(&self, name: &'static str) -> Result<Option<bool>, FieldError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(FieldError::new(name, "is neither true nor false")),
        }
    }
}
