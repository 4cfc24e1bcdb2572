use larder_storage_item::{Key, KeyNames, MAX_RECORD_DEPTH, Number, Record, Table, Value};
use proptest::prelude::*;

use super::{encode_difference, revert};

const NAMES: KeyNames = Table::InventoryManagement.key_names();

fn encode(record: &Record) -> Vec<u8> {
    super::encode(NAMES, record)
}

fn decode(key: &Key, bytes: &[u8]) -> Result<Record, super::decode::DecodeError> {
    super::decode(NAMES, key, bytes)
}

fn key() -> Key {
    Key::new("FAMILY#1", "ITEM#2")
}

fn any_number() -> impl Strategy<Value = Number> {
    let wide = -(10_i128.pow(37))..10_i128.pow(37);
    let mantissa = prop_oneof![any::<i64>().prop_map(i128::from), wide];
    (mantissa, -60..60_i32)
        .prop_map(|(mantissa, exponent)| Number::new(mantissa, exponent).unwrap())
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![Just("quantity".to_owned()), Just("GSI1PK".to_owned()), "[A-Z_a-zé]{0,12}"]
        .prop_filter("the key stands outside", |name| name != "PK" && name != "SK")
}

fn any_map(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Record> {
    prop::collection::vec((any_name(), value), 0..8).prop_map(|attributes| {
        attributes.into_iter().fold(Record::new(), |record, (name, value)| record.with(name, value))
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<String>().prop_map(Value::S),
        any::<Vec<u8>>().prop_map(Value::B),
        any_number().prop_map(Value::N),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::L),
            any_map(inner).prop_map(Value::M),
        ]
    })
}

proptest! {
    #[test]
    fn every_record_round_trips(record in any_map(any_value())) {
        let record = record.with("PK", "FAMILY#1").with("SK", "ITEM#2");
        prop_assert_eq!(decode(&key(), &encode(&record)), Ok(record));
    }

    #[test]
    fn a_difference_leads_back_to_what_was(old in any_map(any_value()), new in any_map(any_value())) {
        // Some attributes in common, as between two states of one record.
        let new = old.iter().step_by(2).fold(new, |new, (name, value)| {
            new.with(name.to_owned(), value.clone())
        });
        let difference = encode_difference(&old, &new);
        prop_assert_eq!(revert(&new, &difference), Ok(old));
        prop_assert_eq!(encode_difference(&new, &new), [0]);
    }

    #[test]
    fn a_hostile_difference_never_panics(
        record in any_map(any_value()),
        bytes in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        if let Ok(reverted) = revert(&record, &bytes) {
            prop_assert!(reverted.iter().is_sorted_by(|a, b| a.0 < b.0));
        }
    }

    #[test]
    fn a_truncated_record_is_an_error(record in any_map(any_value()), cut in any::<prop::sample::Index>()) {
        let bytes = encode(&record);
        let cut = cut.index(bytes.len());
        prop_assert!(decode(&key(), &bytes[..cut]).is_err());
    }

    #[test]
    fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(record) = decode(&key(), &bytes) {
            prop_assert_eq!(Table::InventoryManagement.key_of(&record), Some(key()));
        }
    }

    #[test]
    fn a_changed_byte_never_panics(
        record in any_map(any_value()),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = encode(&record);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(record) = decode(&key(), &bytes) {
            prop_assert_eq!(Table::InventoryManagement.key_of(&record), Some(key()));
        }
    }
}

#[test]
fn known_names_come_back_without_an_allocation() {
    let bytes = encode(&Record::new().with("quantity", Number::from(3)));
    assert_eq!(bytes, [1, 15, 6, 6]);
}

#[test]
fn the_key_of_each_table_stands_outside_the_bytes() {
    for table in Table::ALL {
        let names = table.key_names();
        assert!(names.sk.is_none_or(|sk| names.pk < sk), "{} is decoded in this order", names.pk);
        let key = Key::new("p", if names.sk.is_some() { "s" } else { "" });
        let record = table.record_with(&key).with("aaa", "before").with("zzz", "behind");
        let bytes = super::encode(names, &record);
        assert_eq!(bytes.first(), Some(&2), "two attributes besides the key of {}", table.name());
        assert_eq!(super::decode(names, &key, &bytes), Ok(record));
    }
}

#[test]
fn nesting_without_end_is_an_error() {
    let mut bytes = vec![1, 15];
    bytes.extend([4, 1].repeat(100_000));
    assert_eq!(decode(&key(), &bytes).unwrap_err().to_string(), "values are nested too deep");
}

#[test]
fn the_deepest_record_that_may_be_written_comes_back() {
    let lists = (0..MAX_RECORD_DEPTH).fold(Value::Null, |inner, _| Value::L(vec![inner]));
    let maps = (0..MAX_RECORD_DEPTH)
        .fold(Value::Null, |inner, _| Value::M(Record::new().with("a", inner)));
    let record = Record::new().with("PK", "FAMILY#1").with("SK", "ITEM#2");
    let record = record.with("lists", lists).with("maps", maps);
    assert!(record.counted_bytes().is_some());
    assert_eq!(decode(&key(), &encode(&record)), Ok(record));
}
