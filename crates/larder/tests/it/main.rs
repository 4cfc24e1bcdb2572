//! Black-box tests: every one of them starts the real binary and talks to it as a client would.
//!
//! One test binary, so that the workspace links it once. The store under test is chosen in
//! `support::store` and nowhere else.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

mod support;

mod accounts;
mod bad_input;
mod concurrency;
mod durability;
mod events;
mod external_identity;
mod households;
mod idempotency;
mod inventory;
mod isolation;
mod logs;
mod operations;
mod reference;
mod tokens;
