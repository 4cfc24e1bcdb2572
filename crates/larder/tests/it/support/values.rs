//! Small readers for JSON answers.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// A JSON number as people write it: `1.5`, `1500`, never `1500.0`.
#[track_caller]
pub(crate) fn amount(number: &Value) -> String {
    assert!(number.is_number(), "not a number: {number}");
    let text = number.to_string();
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A quantity in hundredths, exactly, without floats.
#[track_caller]
pub(crate) fn hundredths(number: &Value) -> i64 {
    let text = amount(number);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    assert!(fraction.len() <= 2, "more than two decimals: {text}");
    format!("{whole}{fraction:0<2}").parse().unwrap_or_else(|_| panic!("not a quantity: {text}"))
}

/// The `id` of a record.
#[track_caller]
pub(crate) fn id_of(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_else(|| panic!("no id in {record}"))
}

/// The ids of a list, in its order.
#[track_caller]
pub(crate) fn ids(records: &[Value]) -> Vec<&str> {
    records.iter().map(id_of).collect()
}

/// The names of a list, in its order.
#[track_caller]
pub(crate) fn names(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["name"].as_str().expect("a record has a name")).collect()
}

/// A problem without the one member that differs between two equal ones.
pub(crate) fn without_request_id(mut problem: Value) -> Value {
    problem.as_object_mut().expect("a problem is an object").remove("requestId");
    problem
}

/// Percent-encodes a query value.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
