//! The behaviour of every store behind the ports, criteria P01 to P83. Bound by
//! [`crate::store_conformance!`].

#![allow(missing_docs, reason = "the name of a test says what it shows")]

pub mod accounts;
pub mod adding;
pub mod adjusting;
pub mod auto_listing;
pub mod barcodes;
pub mod changed_tags;
pub mod changes;
pub mod concurrency;
pub mod days;
pub mod deliveries;
pub mod erasing;
pub mod history;
pub mod holders;
pub mod households;
pub mod idempotency;
pub mod identities;
pub mod leases;
pub mod listing;
pub mod members;
pub mod moving;
pub mod notifying;
pub mod own_sessions;
pub mod photos;
pub mod places;
pub mod product_gaps;
pub mod products;
pub mod program_tokens;
pub mod putting_away;
pub mod random_commands;
pub mod relational;
pub mod replacing;
pub mod resuming;
pub mod sessions;
pub mod settling;
pub mod shopping_links;
pub mod shopping_list;
pub mod shopping_races;
pub mod splitting;
pub mod tags;
pub mod taps;
pub mod telemetry;
pub mod tenancy;
