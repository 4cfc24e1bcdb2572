//! Shared by the JSON API and the pages.
//!
//! Both are wrapped in one [`stack`] of middleware: request ids, `ETag`s, metrics, the access log,
//! time limits, panics, security headers, and a [`Problem`] for every error that is not a page.
//! Handlers that read JSON take [`JsonBody`] or [`Params`] and read it field by field.
//!
//! The rest concerns any request: client address, rate limits, cookies, public URL, and cursors of
//! lists.

mod access_log;
mod account_limits;
mod answer;
mod base_path;
mod body;
mod body_schema;
mod client_address;
mod cookies;
mod cursor;
mod download;
mod error_status;
mod etag;
mod fields;
mod gzip;
mod hundredths;
mod json;
mod leftover;
mod limits;
mod link_base;
mod login;
mod metrics;
mod paging;
mod params;
mod problem;
mod public_url;
mod qr_svg;
mod rate_limit;
pub mod read;
mod request_body;
mod request_id;
mod shared;
mod stack;
mod trusted_proxies;

pub use account_limits::AccountLimits;
pub use answer::Json;
pub use base_path::BasePath;
pub use body::{DocumentBody, JsonBody, JsonOrForm, MediaBody, MediaKind};
pub use body_schema::{UnknownFields, limit_value, schema_of_body};
pub use client_address::ClientAddress;
pub use cookies::{CSRF_HEADER, SessionCookies, comes_from_another_site};
pub use cursor::{CursorKey, InvalidCursor};
pub use download::{export_response, readings_response, table_response};
pub use error_status::status_of;
pub use etag::tag_of;
pub use fields::{Fields, Patch};
pub use gzip::PackedJson;
pub use hundredths::Hundredths;
pub use json::Text;
pub use larder_domain::{Described, Rule};
pub use limits::Limits;
pub use link_base::{LinkBase, LinkSettings};
pub use login::try_login;
pub use metrics::Metrics;
pub use paging::{ListCursors, PagePosition};
pub use params::Params;
pub use problem::{FieldError, Problem, ProblemDocument};
pub use public_url::PublicUrl;
pub use qr_svg::{TextTooLong, qr_svg};
pub use rate_limit::{Quota, RateLimited, RateLimiter};
pub use request_body::RequestBody;
pub use request_id::{RequestId, RequestIds};
pub use shared::Shared;
pub use stack::{HttpSettings, RenderedPage, stack};
pub use trusted_proxies::{AddressRange, TrustedProxies};

#[cfg(test)]
mod testing;
