//! The behaviour of every record engine, criteria R01 to R29. Bound by
//! [`crate::record_engine_conformance!`].

#![allow(missing_docs, reason = "the name of a test says what it shows")]

pub mod conditions;
pub mod expiry;
pub mod get_many;
pub mod indexes;
pub mod journal;
pub mod limits;
pub mod own_indexes;
pub mod own_keys;
pub mod random_transactions;
pub mod ranges;
pub mod readings;
pub mod relational;
pub mod scanning;
pub mod transactions;
pub mod values;

use larder_storage_item::{Number, TransactError};

/// The position of the action whose condition failed.
fn failed_action<T: std::fmt::Debug>(result: Result<T, TransactError>) -> usize {
    match result {
        Err(TransactError::ConditionFailed { action, .. }) => action,
        other => panic!("a condition should have failed: {other:?}"),
    }
}

fn number(text: &str) -> Number {
    text.parse().unwrap()
}
