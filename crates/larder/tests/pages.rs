//! The pages: `web` requests them over plain HTTP, like a browser without script, and `browser`
//! opens them in Chromium. On the embedded engine, because pages do not depend on the engine.
//!
//! `tools/install-browser` installs Chromium; without it every test of `browser` fails.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

mod browser;
#[allow(dead_code, reason = "the tests of the API need more of an engine than these")]
mod engine;
mod web;

/// The server and its clients, as the tests of the API have them.
mod it {
    #[allow(dead_code, unused_imports, reason = "the tests of the API need more than these")]
    pub(crate) mod support;
}
