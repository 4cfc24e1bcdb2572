//! The ground every handler stands on: one error shape, one way to read input, one stack of
//! middleware around the whole router.
//!
//! A handler takes [`JsonBody`] or [`Params`], reads it field by field, and returns
//! `Result<_, Problem>`. Everything else (request ids, `ETag`s, metrics, the access log, time
//! limits, panics, security headers) is done by [`stack`].

mod access_log;
mod answer;
mod body;
mod etag;
mod fields;
mod gzip;
mod json;
mod leftover;
mod limits;
mod metrics;
mod params;
mod problem;
pub mod read;
mod request_id;
mod stack;

pub use answer::Json;
pub use body::{DocumentBody, JsonBody, JsonOrForm};
pub(crate) use etag::tag_of;
pub use fields::{Fields, Patch};
pub use gzip::PackedJson;
pub(crate) use json::Text;
pub use limits::Limits;
pub use metrics::Metrics;
pub use params::Params;
pub use problem::{FieldError, Problem, ProblemDocument};
pub use request_id::{RequestId, RequestIds};
pub use stack::{HttpSettings, stack};

#[cfg(test)]
mod testing;
