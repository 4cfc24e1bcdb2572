//! What every store does behind the ports, criteria P01 to P19. Bound by [`crate::store_conformance!`].

#![allow(missing_docs, reason = "the name of a test says what it shows")]

pub mod accounts;
pub mod adding;
pub mod adjusting;
pub mod changes;
pub mod concurrency;
pub mod history;
pub mod households;
pub mod idempotency;
pub mod listing;
pub mod members;
pub mod moving;
pub mod places;
pub mod random_commands;
pub mod replacing;
pub mod sessions;
pub mod tenancy;
