//! HTTP calls to servers that the operator has named: webhooks, catalogs of barcodes,
//! and an identity provider.
//!
//! A client follows no redirects: a call reaches the host in the setting, or none.

mod client;
mod url;

pub use client::{CallError, Calls, ClientError};
pub use url::OutboundUrl;

/// How Larder introduces itself.
pub const USER_AGENT: &str = concat!("larder/", env!("CARGO_PKG_VERSION"));
