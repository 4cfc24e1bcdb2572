//! A cache of pages of items as they are sent.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use jiff::civil::Date;
use larder_domain::Owner;
use larder_http::tag_of;
use larder_storage::{AtVersion, Cache};

/// How many bytes of pages are cached. A page of 50 items has some 20 KB.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Pages by inventory and query. Valid until anything in the inventory changes, as the store says, or a
/// day begins, because some items expire then.
pub(crate) type PageCache = Cache<(Owner, String), Page, AtVersion<(u64, Date)>>;

/// An empty cache.
pub(crate) fn page_cache() -> PageCache {
    Cache::weighing(MAX_BYTES, |(_, query), page| query.len() + page.body.len())
}

/// A page as it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    body: Bytes,
    tag: HeaderValue,
}

impl Page {
    pub(super) fn new(body: Vec<u8>) -> Self {
        let tag = tag_of(&body);
        Self { body: body.into(), tag }
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, json), (header::ETAG, self.tag)], self.body).into_response()
    }
}
