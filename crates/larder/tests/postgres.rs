//! The suite on PostgreSQL, and what is said of every store that servers reach over the network.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

#[path = "engine/postgres.rs"]
mod engine;
mod it;
mod remote;
