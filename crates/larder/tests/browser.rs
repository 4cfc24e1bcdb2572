//! The pages in a real Chromium, against the real binary on the embedded engine: pages know no engine.
//!
//! `browser/support` is what the tests stand on. `tools/install-browser` installs the browser; without
//! one every test fails.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "clippy.toml allows both in tests, and all of this binary is test code"
)]

#[path = "browser/mod.rs"]
mod browser;
#[path = "engine/embedded.rs"]
#[allow(dead_code, reason = "the suite of `it` needs more of an engine than these tests")]
mod engine;

/// The server and its clients, as the suite of `it` has them.
mod it {
    #[allow(dead_code, unused_imports, reason = "the suite of `it` needs more than these tests")]
    pub(crate) mod support;
}

/// The same pages over plain HTTP.
mod web {
    #[allow(dead_code, reason = "the tests over plain HTTP need more than these")]
    pub(crate) mod support;
}
