//! A readable diff between a golden file and the written records.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

type Attributes = Map<String, Value>;

/// The key attributes of all tables, which identify the records of a file.
const KEYS: [&str; 6] = ["PK", "SK", "key_id", "hardware_id", "ts_batch", "batch_id"];

/// One line per difference. Both are arrays of records in DynamoDB's JSON.
pub(super) fn differences(golden: &Value, written: &Value) -> Vec<String> {
    let (golden, written) = (by_key(golden), by_key(written));
    let keys: BTreeSet<_> = golden.keys().chain(written.keys()).collect();
    let mut lines = Vec::new();
    for key in keys {
        match (golden.get(key), written.get(key)) {
            (Some(golden), Some(written)) => lines.extend(changes(key, golden, written)),
            (Some(_), None) => lines.push(format!("{key}\n    is in the file, was not written")),
            (None, _) => lines.push(format!("{key}\n    was written, is not in the file")),
        }
    }
    lines
}

fn by_key(records: &Value) -> BTreeMap<String, &Attributes> {
    let records = records.as_array().expect("a golden file holds an array of records");
    let records = records.iter().map(|record| {
        let attributes = record.as_object().expect("a record is an object");
        let parts = KEYS.iter().filter_map(|name| record[*name]["S"].as_str());
        (parts.collect::<Vec<_>>().join(" / "), attributes)
    });
    records.collect()
}

fn changes(key: &str, golden: &Attributes, written: &Attributes) -> Vec<String> {
    let names: BTreeSet<_> = golden.keys().chain(written.keys()).collect();
    let differing = names.into_iter().filter(|name| golden.get(*name) != written.get(*name));
    let show = |value: Option<&Value>| value.map_or_else(|| "absent".to_owned(), Value::to_string);
    let line = |name: &String| {
        let (golden, written) = (show(golden.get(name)), show(written.get(name)));
        format!("{key}\n    {name}: {golden} in the file\n    {name}: {written} was written")
    };
    differing.map(line).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(sk: &str, quantity: &str) -> Value {
        json!({"PK": {"S": "p"}, "SK": {"S": sk}, "quantity": {"N": quantity}})
    }

    #[test]
    fn equal_records_differ_in_nothing_whatever_their_order() {
        let (one, two) = (record("a", "1"), record("b", "2"));
        assert_eq!(differences(&json!([one, two]), &json!([two, one])), Vec::<String>::new());
    }

    #[test]
    fn a_changed_attribute_is_named_with_both_values() {
        let lines = differences(&json!([record("a", "1")]), &json!([record("a", "1.0")]));
        let expected = "p / a\n    quantity: {\"N\":\"1\"} in the file\n    quantity: {\"N\":\"1.0\"} was written";
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn an_attribute_that_only_one_side_has_is_named() {
        let bare = json!({"PK": {"S": "p"}, "SK": {"S": "a"}});
        let lines = differences(&json!([bare]), &json!([record("a", "1")]));
        let expected =
            "p / a\n    quantity: absent in the file\n    quantity: {\"N\":\"1\"} was written";
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn records_that_only_one_side_has_are_named() {
        let lines = differences(&json!([record("a", "1")]), &json!([record("b", "1")]));
        let expected = [
            "p / a\n    is in the file, was not written",
            "p / b\n    was written, is not in the file",
        ];
        assert_eq!(lines, expected);
    }
}
