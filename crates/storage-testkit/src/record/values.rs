//! Values round-trip: texts byte for byte, numbers digit for digit.

use larder_storage::StorageError;
use larder_storage_item::{Change, Record, TransactError, Value};

use super::number;
use crate::EngineHarness;
use crate::engine_harness::{key_of, put, update};

/// Texts that stores are known to alter: composed and decomposed, right to left, beyond the basic
/// plane, resembling a wildcard, a quote or a number, with a zero byte inside.
const TEXTS: [&str; 12] = [
    "",
    " ",
    "é",
    "e\u{301}",
    "ミルク ﾐﾙｸ",
    "חלב",
    "👩‍👩‍👧‍👦",
    "'; DROP TABLE--",
    "100%_\\",
    "007",
    "a\0b",
    "\u{10ffff}",
];

pub async fn r07_numbers_are_exact_to_38_digits(h: &EngineHarness) {
    for (n, text) in [
        "0",
        "-0.01",
        "0.1",
        "99999999.99",
        "9007199254740993",
        "12345678901234567890123456789012345678",
        "-0.00000000000000000000000000000000000001",
        "1e125",
        "-9.9999999999999999999999999999999999999e125",
        "1e-130",
    ]
    .iter()
    .enumerate()
    {
        let record = h.record("V", &n.to_string()).with("n", number(text));
        h.commit(vec![put(record.clone())]).await;
        assert_eq!(h.get(&key_of(&record)).await, Some(record), "{text}");
    }
}

pub async fn r07_sums_are_exact(h: &EngineHarness) {
    let key = h.key("V", "sum");
    // Binary fractions give 0.99999999999999989 here.
    for _ in 0..10 {
        h.commit(vec![update(key.clone(), vec![Change::Add("n".into(), number("0.1"))])]).await;
    }
    assert_eq!(h.get(&key).await.unwrap().number("n"), Some(number("1")));
    let digit = number("0.00000000000000000000000000000000001");
    h.commit(vec![update(key.clone(), vec![Change::Add("n".into(), digit)])]).await;
    let expected = number("1.00000000000000000000000000000000001");
    assert_eq!(h.get(&key).await.unwrap().number("n"), Some(expected));
}

pub async fn r07_a_sum_that_does_not_fit_is_refused_and_changes_nothing(h: &EngineHarness) {
    let record = h.record("V", "full").with("n", number("9e125"));
    h.commit(vec![put(record.clone())]).await;
    let add = update(h.key("V", "full"), vec![Change::Add("n".into(), number("1e125"))]);
    let refused = h.transact(vec![put(h.record("V", "beside")), add]).await;
    assert!(
        matches!(refused, Err(TransactError::Storage(StorageError::TooLarge(_)))),
        "{refused:?}"
    );
    assert_eq!(h.get(&h.key("V", "full")).await, Some(record));
    assert_eq!(h.get(&h.key("V", "beside")).await, None);
}

pub async fn r10_texts_come_back_byte_for_byte(h: &EngineHarness) {
    for (n, text) in TEXTS.iter().enumerate() {
        let record = h.record("V", &n.to_string()).with("text", *text);
        if text.is_empty() && !h.takes_empty_texts() {
            refuses_empty_text(h, record).await;
            continue;
        }
        h.commit(vec![put(record.clone())]).await;
        assert_eq!(h.get(&key_of(&record)).await, Some(record), "{text:?}");
    }
}

/// An endpoint that rejects empty strings reports it, and writes nothing.
async fn refuses_empty_text(h: &EngineHarness, record: Record) {
    let key = key_of(&record);
    let refused = h.transact(vec![put(record), put(h.record("V", "beside"))]).await;
    let Err(TransactError::Storage(StorageError::Defect(reason))) = refused else {
        panic!("{refused:?}");
    };
    assert!(reason.contains("no empty texts"), "{reason}");
    assert_eq!(h.get(&key).await, None);
    assert_eq!(h.get(&h.key("V", "beside")).await, None);
}

pub async fn r10_keys_are_told_apart_by_every_byte(h: &EngineHarness) {
    let texts: Vec<_> = TEXTS.iter().filter(|text| !text.is_empty()).collect();
    for text in &texts {
        h.commit(vec![put(h.record("V", text).with("held", **text))]).await;
    }
    for text in &texts {
        let held = h.get(&h.key("V", text)).await.unwrap();
        assert_eq!(held.text("held"), Some(**text));
    }
    assert_eq!(h.read_all(&h.query("V")).await.len(), texts.len());
}

pub async fn r10_every_kind_of_value_comes_back(h: &EngineHarness) {
    let inner = Record::new().with("a", Value::Null).with("z", number("1.50"));
    let list =
        Value::L(vec!["text".into(), Value::M(inner.clone()), Value::L(vec![]), true.into()]);
    let record = h
        .record("V", "all")
        .with("a name of one's own", "x")
        .with("bytes", Value::B((0..=255).collect()))
        .with("empty", Value::M(Record::new()))
        .with("false", false)
        .with("list", list)
        .with("map", Value::M(inner))
        .with("null", Value::Null);
    h.commit(vec![put(record.clone())]).await;
    assert_eq!(h.get(&h.key("V", "all")).await, Some(record));
}
