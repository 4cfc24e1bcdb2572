//! What is remembered of tags, so that a tap and a page need not look up the same address again.
//!
//! Whose an address is never changes, so that is remembered for good; whether the tag is still good is judged
//! elsewhere, each time. What a page shows is remembered only while nothing has changed: where the engine counts the
//! changes of a household, and this process is the only one that replaces tags.

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
/// What a page shows takes about 2 KB.
const MAX_HELD: usize = 1024;

/// What never changes of a tag.
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

/// The state of a household and of all tags, before something was read of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Of the household, as the engine counts.
    pub(super) version: u64,
    rotations: u64,
}

/// What is remembered of tags. Bounded: what is full starts anew.
#[derive(Default)]
pub(super) struct KnownTags {
    places: Mutex<HashMap<UrlId, TagPlace>>,
    held: Mutex<HashMap<UrlId, (Moment, HeldTag)>>,
    rotations: AtomicU64,
}

impl KnownTags {
    pub(super) fn place(&self, url: UrlId) -> Option<TagPlace> {
        lock(&self.places).get(&url).copied()
    }

    pub(super) fn remember_place(&self, url: UrlId, place: TagPlace) {
        put(&mut lock(&self.places), MAX_PLACES, url, place);
    }

    /// Now, for a household that the engine counts so many changes of. To be taken before reading.
    pub(super) fn moment(&self, version: u64) -> Moment {
        Moment { version, rotations: self.rotations.load(Ordering::Acquire) }
    }

    /// What a page shows, if it was read in the state that holds now.
    pub(super) fn held(&self, url: UrlId, now: Moment) -> Option<HeldTag> {
        let held = lock(&self.held);
        let (read_at, tag) = held.get(&url)?;
        (*read_at == now).then(|| tag.clone())
    }

    pub(super) fn remember_held(&self, url: UrlId, read_at: Moment, tag: HeldTag) {
        put(&mut lock(&self.held), MAX_HELD, url, (read_at, tag));
    }

    /// A tag was replaced, or may have been: nothing that was read before counts any more. To be called before
    /// whoever replaced it is answered.
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
        let known = KnownTags::default();
        let before = known.moment(7);
        known.remember_held(url(1), before, held("Rice"));
        assert_eq!(known.held(url(1), known.moment(7)), Some(held("Rice")));
        assert_eq!(known.held(url(2), known.moment(7)), None);
        assert_eq!(known.held(url(1), known.moment(8)), None);
        known.rotated();
        assert_eq!(known.held(url(1), known.moment(7)), None);
        // What was read before the replacement does not come back by being remembered after it.
        known.remember_held(url(1), before, held("Rice"));
        assert_eq!(known.held(url(1), known.moment(7)), None);
    }
}
