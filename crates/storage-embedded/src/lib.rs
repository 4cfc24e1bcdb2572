//! The record engine in a local file: `SQLite` with a group commit, a change journal, expiry, and checksums that
//! every read verifies.
//!
//! Damage to the file is an error that names the record, never a wrong answer: each row carries a checksum
//! over its content and its place, each tree of keys is a chain in which no entry can go missing unnoticed
//! (`tree.rs`), and so is the journal (`journal.rs`). What is beyond this is a write that the disk
//! acknowledged and never did: an old page is sound in itself.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod checksum;
mod codec;
mod commit;
mod engine;
mod error;
mod file;
mod journal;
mod layout;
mod meta;
mod options;
mod pool;
mod query;
mod readings;
mod records;
mod scan;
mod scrub;
mod statistics;
mod tree;
mod watch;

pub use commit::Swept;
pub use engine::EmbeddedEngine;
pub use options::{Durability, EmbeddedOptions, IndexDelay, OpenError, Waiting};
pub use scrub::{Damage, ScrubReport};
pub use statistics::Statistics;
