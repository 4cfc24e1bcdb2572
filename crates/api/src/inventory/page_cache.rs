//! Pages of items that were shown before, kept until anything in their inventory changes.
//!
//! A page is shown again only if the store says that nothing has changed since it was read, so several
//! servers on one store agree: the memory saves work, and nothing depends on it.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use jiff::civil::Date;
use larder_domain::Owner;
use larder_http::tag_of;

/// How many bytes of pages are kept. A page of 50 items has some 20 KB.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// What a page depends on beside its query: the inventory's changes, and the day, which decides what has
/// expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PageVersion {
    pub(super) list: u64,
    pub(super) today: Date,
}

/// A page as it is sent.
#[derive(Debug, Clone)]
pub(super) struct Page {
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

/// Pages by inventory and query.
#[derive(Debug, Default)]
pub(crate) struct PageCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    pages: HashMap<Owner, HashMap<Box<str>, (PageVersion, Page)>>,
    bytes: usize,
}

impl PageCache {
    /// The page of this query, if it is still what the store would answer.
    pub(super) fn find(&self, owner: Owner, query: &str, version: PageVersion) -> Option<Page> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (held, page) = kept.pages.get(&owner)?.get(query)?;
        (*held == version).then(|| page.clone())
    }

    /// Keeps a page. When there are too many, all go: the next requests bring back those that matter.
    pub(super) fn keep(&self, owner: Owner, query: &str, version: PageVersion, page: &Page) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let size = page.body.len() + query.len();
        if kept.bytes + size > MAX_BYTES {
            *kept = Kept::default();
        }
        kept.bytes += size;
        let of_owner = kept.pages.entry(owner).or_default();
        if let Some((_, old)) = of_owner.insert(query.into(), (version, page.clone())) {
            kept.bytes -= old.body.len() + query.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use larder_domain::UserId;

    use super::*;

    const OWNER: Owner = Owner::User(UserId::fixed(1));
    const VERSION: PageVersion = PageVersion { list: 7, today: date(2026, 2, 28) };

    #[test]
    fn a_page_is_shown_again_until_something_changes() {
        let cache = PageCache::default();
        cache.keep(OWNER, "limit=2", VERSION, &Page::new(b"one".to_vec()));
        let find = |owner, query, version| cache.find(owner, query, version).map(|page| page.body);
        assert_eq!(find(OWNER, "limit=2", VERSION), Some(Bytes::from("one")));
        assert_eq!(find(OWNER, "limit=3", VERSION), None);
        assert_eq!(find(Owner::User(UserId::fixed(2)), "limit=2", VERSION), None);
        assert_eq!(find(OWNER, "limit=2", PageVersion { list: 8, ..VERSION }), None);
        let tomorrow = PageVersion { today: date(2026, 3, 1), ..VERSION };
        assert_eq!(find(OWNER, "limit=2", tomorrow), None);
    }

    #[test]
    fn the_memory_is_bounded() {
        let cache = PageCache::default();
        for n in 0..100 {
            cache.keep(OWNER, &n.to_string(), VERSION, &Page::new(vec![0; MAX_BYTES / 10]));
            cache.keep(OWNER, "again", VERSION, &Page::new(vec![0; 10]));
        }
        let kept = cache.0.lock().unwrap();
        let really: usize =
            kept.pages[&OWNER].iter().map(|(query, (_, page))| query.len() + page.body.len()).sum();
        assert_eq!(kept.bytes, really);
        assert!(really <= MAX_BYTES);
    }
}
