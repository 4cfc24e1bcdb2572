//! A cache of tags, so that a tap and a page need not look up the same address again.
//!
//! The place of an address never changes, so it never becomes stale; whether the tag is still
//! active is checked elsewhere, each time. A page is cached only while nothing has changed: where
//! the engine counts the changes of a household, and this process is the only one that replaces
//! tags.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use larder_domain::{HouseholdId, ItemId, NfcUrl, TagStep, UrlId};
use larder_storage::HeldTag;

use super::bounded::{lock, put};

/// A place takes about 100 bytes.
const MAX_PLACES: usize = 32 * 1024;
/// A page takes about 2 KB.
const MAX_HELD: usize = 1024;

/// The parts of a tag that never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagPlace {
    pub(super) household: HouseholdId,
    pub(super) item: ItemId,
    pub(super) step: TagStep,
}

impl TagPlace {
    pub(super) const fn of(tag: &NfcUrl) -> Self {
        Self { household: tag.household, item: tag.item, step: tag.step }
    }
}

/// The state of a household and of all tags before a read. A cached page is stale once it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Of the household, as the engine counts.
    pub(super) version: u64,
    rotations: u64,
}

/// A bounded cache of tags: a full map is cleared.
#[derive(Default)]
pub(super) struct TagCache {
    places: Mutex<HashMap<UrlId, TagPlace>>,
    held: Mutex<HashMap<UrlId, (Stamp, HeldTag)>>,
    rotations: AtomicU64,
}

impl TagCache {
    pub(super) fn place(&self, url: UrlId) -> Option<TagPlace> {
        lock(&self.places).get(&url).copied()
    }

    pub(super) fn remember_place(&self, url: UrlId, place: TagPlace) {
        put(&mut lock(&self.places), MAX_PLACES, url, place);
    }

    /// The current stamp of a household with this version. Taken before reading.
    pub(super) fn stamp(&self, version: u64) -> Stamp {
        Stamp { version, rotations: self.rotations.load(Ordering::Acquire) }
    }

    /// The page, unless it is stale.
    pub(super) fn held(&self, url: UrlId, now: Stamp) -> Option<HeldTag> {
        let held = lock(&self.held);
        let (read_at, tag) = held.get(&url)?;
        (*read_at == now).then(|| tag.clone())
    }

    pub(super) fn remember_held(&self, url: UrlId, read_at: Stamp, tag: HeldTag) {
        put(&mut lock(&self.held), MAX_HELD, url, (read_at, tag));
    }

    /// Invalidates all pages: a tag was replaced, or may have been. Called before the replacement
    /// returns.
    pub(super) fn rotated(&self) {
        self.rotations.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(n: u8) -> UrlId {
        UrlId::from_random([n; 16])
    }

    fn held(name: &str) -> HeldTag {
        let tag = NfcUrl {
            id: url(1),
            item: ItemId::fixed(1),
            household: HouseholdId::fixed(2),
            item_name: larder_domain::ItemName::parse(name).unwrap(),
            label: None,
            step: TagStep::ONE,
            rotated: None,
            created_by: larder_domain::UserId::fixed(3),
            created_at: jiff::Timestamp::UNIX_EPOCH,
            last_accessed_at: None,
            access_count: 0,
        };
        HeldTag { tag, item: None }
    }

    #[test]
    fn a_page_is_remembered_until_the_household_changes_or_a_tag_is_replaced() {
        let cache = TagCache::default();
        let before = cache.stamp(7);
        cache.remember_held(url(1), before, held("Rice"));
        assert_eq!(cache.held(url(1), cache.stamp(7)), Some(held("Rice")));
        assert_eq!(cache.held(url(2), cache.stamp(7)), None);
        assert_eq!(cache.held(url(1), cache.stamp(8)), None);
        cache.rotated();
        assert_eq!(cache.held(url(1), cache.stamp(7)), None);
        // A page that was read before the replacement and cached after it is stale.
        cache.remember_held(url(1), before, held("Rice"));
        assert_eq!(cache.held(url(1), cache.stamp(7)), None);
    }
}
