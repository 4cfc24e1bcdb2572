//! Caches of tags, which save look-ups of the same URL by taps and pages.

use larder_domain::{HouseholdId, ItemId, NfcUrl, TagStep, UrlId};
use larder_storage::{AtVersion, Cache, HeldTag};

/// A position takes about 100 bytes.
pub(super) const MAX_PLACES: usize = 32 * 1024;
/// A page takes about 2 KB.
pub(super) const MAX_HELD: usize = 1024;

/// The places of tags. They never change; whether a tag is still there, active and of the same step
/// is checked elsewhere, each time.
pub(super) type PlaceCache = Cache<UrlId, TagPlace>;

/// Tags with their items, valid at a version of their household as the engine counts. A change
/// of a tag is not counted: it invalidates the tag, and engines that count serve one process.
pub(super) type HeldTagCache = Cache<UrlId, HeldTag, AtVersion<u64>>;

/// The household and the item of a tag, which never change, and the step that it had when it was
/// read: a tap verifies that.
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
