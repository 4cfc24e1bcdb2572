//! The ground every handler stands on: one error shape, one way to read input, one stack of
//! middleware around the whole router.
//!
//! A handler takes [`JsonBody`] or [`Params`], reads it field by field, and returns
//! `Result<_, Problem>`. Everything else (request ids, `ETag`s, metrics, the access log, time
//! limits, panics, security headers) is done by [`stack`].

mod access_log;
mod answer;
mod body;
mod client_address;
mod cursor;
mod etag;
mod fields;
mod gzip;
mod json;
mod limits;
mod metrics;
mod params;
mod problem;
mod rate_limit;
pub mod read;
mod request_id;
mod stack;
mod trusted_proxies;

pub use answer::Json;
pub use body::{DocumentBody, JsonBody, JsonOrForm};
pub use client_address::ClientAddress;
pub use cursor::{CursorKey, InvalidCursor};
pub(crate) use etag::tag_of;
pub use fields::{Fields, Patch};
pub use gzip::PackedJson;
pub(crate) use json::Text;
pub use limits::Limits;
pub use metrics::Metrics;
pub use params::Params;
pub use problem::{FieldError, Problem, ProblemDocument};
pub use rate_limit::{Quota, RateLimited, RateLimiter};
pub use request_id::{RequestId, RequestIds};
pub use stack::{HttpSettings, stack};
pub use trusted_proxies::{AddressRange, TrustedProxies};

#[cfg(test)]
mod testing;
