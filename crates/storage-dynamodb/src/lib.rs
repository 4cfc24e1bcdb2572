//! DynamoDB as a record engine.
//!
//! [`DynamoEngine`] stores the records of the single-table layer in DynamoDB's own tables, which
//! [`tables`] declares and creates. The SDK stays inside this crate.

mod attributes;
mod background;
mod client;
mod database;
mod engine;
mod error;
mod expression;
mod journal;
mod names;
mod options;
mod query;
mod randomness;
mod retry;
mod scan;
pub mod tables;
mod transact;
mod units;
mod watch;

pub use engine::DynamoEngine;
pub use options::{AccessKey, DynamoOptions, OpenError};
pub use units::Consumed;
