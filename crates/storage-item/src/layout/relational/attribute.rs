//! Attribute values in records: one to one.

use std::collections::BTreeMap;

use larder_domain::AttributeValue;

use crate::{Record, Value};

pub(super) fn to_value(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Null => Value::Null,
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::Number(number) => Value::N(*number),
        AttributeValue::Text(text) => Value::S(text.clone()),
        AttributeValue::List(values) => Value::L(values.iter().map(to_value).collect()),
        AttributeValue::Map(values) => {
            let entries = values.iter().map(|(name, value)| (name.clone().into(), to_value(value)));
            let record = Record::from_sorted(entries.collect());
            Value::M(record.expect("the names of a map are in order"))
        }
    }
}

/// `None` if a value is of a kind that no resource has.
pub(super) fn from_value(value: &Value) -> Option<AttributeValue> {
    Some(match value {
        Value::Null => AttributeValue::Null,
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::N(number) => AttributeValue::Number(*number),
        Value::S(text) => AttributeValue::Text(text.clone()),
        Value::L(values) => {
            AttributeValue::List(values.iter().map(from_value).collect::<Option<_>>()?)
        }
        Value::M(record) => AttributeValue::Map(map(record)?),
        Value::B(_) => return None,
    })
}

fn map(record: &Record) -> Option<BTreeMap<String, AttributeValue>> {
    record.iter().map(|(name, value)| Some((name.to_owned(), from_value(value)?))).collect()
}
