//! The parts of the `larder` binary: settings, secrets, logging, listening and stopping.
//!
//! A library, so that tests can use it without starting a process. `main.rs` only calls it;
//! [`serve`] is the one place where engines, use cases and routes are wired.

pub mod barcode_catalogs;
mod channels;
pub mod cli;
pub mod commands;
pub mod config;
mod connections;
#[cfg(feature = "dynamodb")]
mod dynamodb;
mod embedded;
mod identity_provider;
pub mod logging;
#[cfg(feature = "postgres")]
mod postgres;
pub mod secrets;
pub mod serve;
pub mod shutdown;
mod startup_gate;
mod store;
mod system;
mod tls;
mod upkeep;
