//! Records as DynamoDB's attributes, and back.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, KeyNames, Name, Record, Value, key_label};

/// One item.
pub(crate) type Attributes = HashMap<String, AttributeValue>;

/// How many maps and lists may be inside of each other in one attribute.
const MAX_LEVELS: usize = 31;
/// Separates the name of a map from that of a value stored beside it. No name contains it.
const BESIDE: char = '\0';

/// The item of a record. Values of a map that are already as deep as DynamoDB allows, as in the
/// record of an idempotency key, are stored beside the map.
pub(crate) fn from_record(record: &Record) -> Attributes {
    let mut attributes = Attributes::with_capacity(record.iter().len());
    for (name, value) in record.iter() {
        let kept = match value {
            Value::M(map) if levels(value) > MAX_LEVELS => {
                let (beside, within): (Vec<_>, Vec<_>) =
                    map.iter().partition(|(_, part)| levels(part) >= MAX_LEVELS);
                let beside = beside
                    .into_iter()
                    .map(|(part, value)| (format!("{name}{BESIDE}{part}"), from_value(value)));
                attributes.extend(beside);
                AttributeValue::M(from_pairs(within.into_iter()))
            }
            value => from_value(value),
        };
        attributes.insert(name.to_owned(), kept);
    }
    attributes
}

fn from_pairs<'r>(pairs: impl Iterator<Item = (&'r str, &'r Value)>) -> Attributes {
    pairs.map(|(name, value)| (name.to_owned(), from_value(value))).collect()
}

/// How many maps and lists are inside of each other.
fn levels(value: &Value) -> usize {
    match value {
        Value::L(values) => 1 + values.iter().map(levels).max().unwrap_or(0),
        Value::M(map) => 1 + map.iter().map(|(_, value)| levels(value)).max().unwrap_or(0),
        _ => 0,
    }
}

pub(crate) fn from_value(value: &Value) -> AttributeValue {
    match value {
        Value::S(text) => AttributeValue::S(text.clone()),
        Value::B(bytes) => AttributeValue::B(Blob::new(bytes.clone())),
        Value::N(number) => AttributeValue::N(number.to_string()),
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Null => AttributeValue::Null(true),
        Value::L(values) => AttributeValue::L(values.iter().map(from_value).collect()),
        Value::M(map) => AttributeValue::M(from_pairs(map.iter())),
    }
}

pub(crate) fn from_key(names: KeyNames, key: &Key) -> Attributes {
    let text = |name: &str, text: &str| (name.to_owned(), AttributeValue::S(text.to_owned()));
    let sk = names.sk.map(|name| text(name, &key.sk));
    [text(names.pk, &key.pk)].into_iter().chain(sk).collect()
}

/// The record of an item. An item that our layouts cannot have written is an error that names it.
pub(crate) fn to_record(names: KeyNames, attributes: Attributes) -> Result<Record> {
    let part = |name: &str| match attributes.get(name) {
        Some(AttributeValue::S(text)) => text.clone(),
        _ => format!("(no {name})"),
    };
    let (pk, sk) = (part(names.pk), names.sk.map(part).unwrap_or_default());
    put_back(attributes)
        .and_then(record)
        .map_err(|reason| StorageError::Corrupt { record: key_label(&pk, &sk), reason })
}

/// Moves values stored beside a map back into it.
fn put_back(mut attributes: Attributes) -> Result<Attributes, String> {
    let beside: Vec<_> = attributes.extract_if(|name, _| name.contains(BESIDE)).collect();
    for (name, value) in beside {
        let (map, part) = name.split_once(BESIDE).unwrap_or_default();
        let Some(AttributeValue::M(map)) = attributes.get_mut(map) else {
            return Err(format!("attribute {part}: it is kept beside no map"));
        };
        map.insert(part.to_owned(), value);
    }
    Ok(attributes)
}

fn record(attributes: Attributes) -> Result<Record, String> {
    let mut pairs = Vec::with_capacity(attributes.len());
    for (name, value) in attributes {
        let value = self::value(value).map_err(|reason| format!("attribute {name}: {reason}"))?;
        pairs.push((Name::Owned(name), value));
    }
    pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Record::from_sorted(pairs).expect("names of a map are distinct, and these are sorted"))
}

fn value(value: AttributeValue) -> Result<Value, String> {
    Ok(match value {
        AttributeValue::S(text) => Value::S(text),
        AttributeValue::N(text) => {
            let number = text.parse();
            Value::N(number.map_err(|error| format!("{text:?} is {error}"))?)
        }
        AttributeValue::B(bytes) => Value::B(bytes.into_inner()),
        AttributeValue::Bool(flag) => Value::Bool(flag),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(values) => {
            Value::L(values.into_iter().map(self::value).collect::<Result<_, _>>()?)
        }
        AttributeValue::M(attributes) => Value::M(record(attributes)?),
        other => return Err(format!("a value of a kind that no record has: {other:?}")),
    })
}

#[cfg(test)]
mod tests {
    use larder_storage_item::{Number, Table};

    use super::*;

    const NAMES: KeyNames = Table::InventoryManagement.key_names();

    #[test]
    fn every_kind_of_value_comes_back() {
        let inner = Record::new().with("deep", Value::L(vec![Value::Null, "x".into()]));
        let held = Record::new()
            .with("PK", "p")
            .with("SK", "s")
            .with("flag", true)
            .with("map", Value::M(inner))
            .with("number", Number::new(-150, -2).unwrap());
        assert_eq!(to_record(NAMES, from_record(&held)).unwrap(), held);
    }

    #[test]
    fn what_is_too_deep_for_a_map_is_kept_beside_it_and_comes_back() {
        let deep = |levels| (0..levels).fold(Value::Null, |value, _| Value::L(vec![value]));
        for (levels, names) in
            [(30, vec!["PK", "SK", "result"]), (31, vec!["PK", "SK", "result", "result\0deep"])]
        {
            let result = Record::new().with("deep", deep(levels)).with("flat", "x");
            let held =
                Record::new().with("PK", "p").with("SK", "s").with("result", Value::M(result));
            let item = from_record(&held);
            let mut found: Vec<_> = item.keys().map(String::as_str).collect();
            found.sort_unstable();
            assert_eq!(found, names);
            assert_eq!(to_record(NAMES, item).unwrap(), held);
        }
        let mut item = from_key(NAMES, &Key::new("p", "s"));
        item.insert("result\0deep".to_owned(), AttributeValue::Null(true));
        let damaged = to_record(NAMES, item).unwrap_err().to_string();
        assert!(damaged.contains("attribute deep: it is kept beside no map"), "{damaged}");
    }

    #[test]
    fn numbers_are_read_however_the_service_writes_them() {
        for text in ["1E+2", "100", "100.0", "1e2"] {
            let item = [("n".to_owned(), AttributeValue::N(text.to_owned()))].into();
            assert_eq!(
                to_record(NAMES, item).unwrap().number("n"),
                Some(Number::from(100)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_no_layout_writes_is_an_error_that_names_the_record() {
        for (table, key) in
            [(Table::InventoryManagement, Key::new("p", "s")), (Table::Devices, Key::new("p", ""))]
        {
            let mut item = from_key(table.key_names(), &key);
            item.insert("set".to_owned(), AttributeValue::Ss(vec!["a".to_owned()]));
            let damaged = to_record(table.key_names(), item);
            let Err(StorageError::Corrupt { record, reason }) = damaged else {
                panic!("a set is no value of ours");
            };
            assert_eq!(record, key_label(&key.pk, &key.sk));
            assert!(reason.starts_with("attribute set: "), "{reason}");
        }
    }

    #[test]
    fn a_key_is_made_of_the_attributes_of_its_table() {
        let key = Key::new("p", "s");
        let names = |table: Table| {
            let mut names: Vec<_> = from_key(table.key_names(), &key).into_keys().collect();
            names.sort();
            names
        };
        assert_eq!(names(Table::Relational), ["PK", "SK"]);
        assert_eq!(names(Table::DeviceReadings), ["hardware_id", "ts_batch"]);
        assert_eq!(names(Table::ApiKeys), ["key_id"]);
    }
}
