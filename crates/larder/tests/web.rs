//! The pages over plain HTTP, as a browser without script asks for them, on the embedded engine: pages know no engine.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

#[path = "engine/embedded.rs"]
#[allow(dead_code, reason = "the suite of `it` needs more of an engine than these tests")]
mod engine;
#[path = "web/mod.rs"]
mod web;

/// The server and its clients, as the suite of `it` has them.
mod it {
    #[allow(dead_code, unused_imports, reason = "the suite of `it` needs more than these tests")]
    pub(crate) mod support;
}
