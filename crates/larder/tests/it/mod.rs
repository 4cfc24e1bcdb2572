//! Black-box tests: every one of them starts the real binary and talks to it as a client would.
//!
//! One suite for all engines. `crate::engine` makes fresh stores on the one that was chosen for the
//! run; nothing in here knows which it is.

pub(crate) mod support;

mod accounts;
mod bad_input;
mod barcodes;
mod concurrency;
mod deletion;
mod durability;
mod erasing;
mod events;
mod exporting;
mod external_identity;
mod grants;
mod households;
mod idempotency;
mod inventory;
mod isolation;
mod logs;
mod me;
mod notifications;
mod operations;
mod photos;
mod products;
mod program_tokens;
mod programs;
mod reference;
mod registration;
mod resources;
mod scanning;
mod search;
mod shopping;
mod tags;
mod taps;
pub(crate) mod telemetry;
mod today;
mod tokens;
mod two_inventories;
mod upcasting;
pub(crate) mod upkeep;
