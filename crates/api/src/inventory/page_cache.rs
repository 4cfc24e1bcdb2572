//! A cache of serialized pages of items.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use jiff::civil::Date;
use larder_domain::Owner;
use larder_http::tag_of;
use larder_storage::{AtVersion, Cache};

/// The capacity in bytes. A page of 50 items has some 20 KB.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Pages by inventory and query. Invalidated by any change of the inventory, according to the
/// store, and at the start of a day, because items expire then.
pub(crate) type PageCache = Cache<(Owner, String), Page, AtVersion<(u64, Date)>>;

/// An empty cache.
pub(crate) fn page_cache() -> PageCache {
    Cache::weighing(MAX_BYTES, |(_, query), page| query.len() + page.body.len())
}

/// A serialized page.
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use larder_domain::UserId;
    use larder_storage::Lookup;

    use super::*;

    fn key(user: u128, query: &str) -> (Owner, String) {
        (Owner::User(UserId::fixed(user)), query.to_owned())
    }

    #[test]
    fn a_page_is_sent_again_until_something_changes_or_a_day_begins() {
        let cache = page_cache();
        let now = AtVersion((7, date(2026, 2, 28)));
        cache.insert(cache.ticket(now), key(1, "limit=2"), Page::new(b"one".to_vec()));
        let find = |key, version| match cache.look_up(&key, AtVersion(version)) {
            Lookup::Hit(page) => Some(page.body),
            Lookup::Miss(_) => None,
        };
        assert_eq!(find(key(1, "limit=2"), now.0), Some(Bytes::from("one")));
        assert_eq!(find(key(1, "limit=3"), now.0), None);
        assert_eq!(find(key(2, "limit=2"), now.0), None);
        assert_eq!(find(key(1, "limit=2"), (8, date(2026, 2, 28))), None);
        assert_eq!(find(key(1, "limit=2"), (7, date(2026, 3, 1))), None);
    }

    #[test]
    fn pages_are_bounded_by_their_bytes() {
        let cache = page_cache();
        let now = AtVersion((7, date(2026, 2, 28)));
        for (user, bytes) in [(1, MAX_BYTES / 2), (2, MAX_BYTES / 2), (3, MAX_BYTES + 1)] {
            cache.insert(cache.ticket(now), key(user, ""), Page::new(vec![0; bytes]));
        }
        let is_cached = |user| cache.peek(&key(user, ""), |_| ()).is_some();
        assert_eq!([1, 2, 3].map(is_cached), [true, true, false]);
        cache.insert(cache.ticket(now), key(4, ""), Page::new(vec![0]));
        assert_eq!([1, 2, 4].map(is_cached), [false, false, true]);
    }
}
