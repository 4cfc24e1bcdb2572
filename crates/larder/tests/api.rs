//! The real binary as its clients and operators see it. The engine is chosen when the tests run:
//! `LARDER_TEST_ENGINE` is `embedded` (the default), `dynamodb` or `postgres`.
//!
//! `it` is the suite of every engine, `local` belongs to the embedded engine, and `remote` to the
//! engines that servers reach over the network.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

mod engine;
mod it;
mod local;
#[cfg(feature = "postgres")]
mod remote;
