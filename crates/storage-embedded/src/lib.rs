//! The record engine in a local file: `SQLite` with a group commit, a change journal, expiry, and checksums that
//! every read verifies.
//!
//! Damage to the file is an error that names the record, never a wrong answer: each row carries a
//! checksum over its content and its place, each tree of keys is a chain in which no entry can go
//! missing unnoticed (`tree.rs`), and so is the journal (`journal.rs`). The limit of this is a lost
//! write that the disk acknowledged: an old page is valid in itself.
//!
//! `larder-storage-item` implements the ports of `larder-storage` on it. As a library, for example,
//! it stores resources and their parents:
//!
//! ```
//! use std::sync::Arc;
//!
//! use jiff::Timestamp;
//! use larder_domain::{
//!     Attributes, HouseholdId, ParentChildRelationship, Resource, SchemaVersion, UniqueKeys, Urn, UserId,
//! };
//! use larder_storage::{
//!     AccountScope, AttachResource, CreateResource, ManualClock, Resources, Write,
//! };
//! use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
//! use larder_storage_item::ItemStore;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let now: Timestamp = "2026-03-01T09:30:00Z".parse()?;
//! let clock = Arc::new(ManualClock::new(now));
//! let directory = tempfile::tempdir()?;
//! let engine = EmbeddedEngine::open(directory.path(), clock.clone(), EmbeddedOptions::default())?;
//! let store = ItemStore::new(Arc::new(engine), clock);
//!
//! // Everything belongs to an account. Who may work with it has to be known before.
//! let account = Urn::of_household(HouseholdId::fixed(1));
//! let scope = AccountScope::assume_authorized(account.clone(), UserId::fixed(1));
//! let thing = |urn: &str| -> Result<Resource, Box<dyn std::error::Error>> {
//!     Ok(Resource {
//!         urn: urn.parse()?,
//!         account: account.clone(),
//!         parent: None,
//!         schema_version: SchemaVersion::FIRST,
//!         version: 1,
//!         unique_keys: UniqueKeys::default(),
//!         attributes: Attributes::from_json(r#"{"colour": "green"}"#)?,
//!         created_at: now,
//!         updated_at: now,
//!     })
//! };
//! let room = thing("urn:pp:Home.Room::01955556-3cd2-7df2-b839-693fa6fbd505")?;
//! let shelf = thing("urn:pp:Home.Shelf::0195ff0e-e2e7-7408-8379-52f6cf939e7b")?;
//! for one in [&room, &shelf] {
//!     let created = store.create_resource(&scope, one, Write::at(now)).await?;
//!     assert_eq!(created, CreateResource::Created);
//! }
//!
//! let link = ParentChildRelationship::new(room.urn.clone(), shelf.urn.clone())?;
//! let attached = store.attach_resource(&scope, &link, Write::at(now)).await?;
//! assert!(matches!(attached, AttachResource::Attached(_)));
//!
//! let found = store.find_resource(&scope, &shelf.urn).await?.expect("it was made");
//! assert_eq!(found.parent, Some(room.urn));
//! assert_eq!(found.attributes.to_json(), r#"{"colour":"green"}"#);
//! # Ok(())
//! # }
//! ```
//!
//! `examples/things.rs` continues with collections, values that exist once, grants and deletion.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod checksum;
mod codec;
mod commit;
mod engine;
mod error;
mod file;
mod journal;
mod layout;
mod lookup;
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
pub use file::DATABASE;
pub use options::{Durability, EmbeddedOptions, OpenError, ReadingBuffer};
pub use scrub::{Damage, ScrubReport};
pub use statistics::Statistics;
