//! NFC tags and taps.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    HouseholdId, Item, ItemId, NfcUrl, TagLabel, TagPosition, TagStep, TapDirection, TapNonce,
    UrlId,
};

use crate::{HouseholdScope, Page, Result, Write};

/// A tag to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    /// What its address will end with.
    pub id: UrlId,
    /// The item that it changes.
    pub item: ItemId,
    /// What the family calls it.
    pub label: Option<TagLabel>,
    /// How much one tap takes.
    pub step: TagStep,
}

/// What came of replacing a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RotateTag {
    /// The old one is dead, the new one works.
    Rotated {
        /// The one that was replaced.
        old: Box<NfcUrl>,
        /// The one in its place.
        new: Box<NfcUrl>,
    },
    /// There is no such tag of this item.
    NotFound,
    /// It was replaced before.
    AlreadyRotated(NfcUrl),
}

/// A tag as somebody who holds it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTag {
    /// The tag.
    pub tag: NfcUrl,
    /// Its item; `None` if that was deleted.
    pub item: Option<Item>,
}

/// A tap to be done once.
#[derive(Debug, Clone, Copy)]
pub struct NewTap<'a> {
    /// What the tag's address ends with.
    pub url: UrlId,
    /// Take or put back.
    pub direction: TapDirection,
    /// What the page calls it.
    pub nonce: &'a TapNonce,
    /// Until when the nonce is remembered.
    pub remember_until: Timestamp,
    /// When it happens.
    pub at: Timestamp,
}

/// What came of a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tap {
    /// It happened, now or, if `is_repeated`, when it came first.
    Done {
        /// The item after it, as it was then.
        item: Item,
        /// What was really applied, in hundredths; 0 if nothing was there to take.
        applied_hundredths: i64,
        /// Whether the nonce had been used before.
        is_repeated: bool,
    },
    /// No tag has this address.
    Unknown,
    /// The tag was replaced.
    Rotated,
    /// The tag's item was deleted.
    ItemDeleted,
    /// It would be too much; this is the item as it is.
    Overflow(Item),
}

/// How often a tag's page was opened since this was told last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagAccesses {
    /// Whose tag.
    pub household: HouseholdId,
    /// Of which item.
    pub item: ItemId,
    /// Which tag.
    pub url: UrlId,
    /// How often.
    pub count: u64,
    /// When last.
    pub last_at: Timestamp,
}

/// NFC tags of a household, and what those do who hold one.
#[async_trait]
pub trait Tags: Send + Sync {
    /// Makes a tag of an item of the household. `None` if there is no such item.
    async fn add_tag(
        &self,
        scope: HouseholdScope,
        tag: &NewTag,
        write: Write<'_>,
    ) -> Result<Option<NfcUrl>>;

    /// A page of the tags of one item, newest first, replaced ones included. They outlive the item.
    async fn list_item_tags(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>>;

    /// A page of all tags of the household, newest first. May lag behind writes where the engine's indexes do.
    async fn list_tags(
        &self,
        scope: HouseholdScope,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>>;

    /// Replaces a tag by one with another address, same item, label and step. One transaction; there is no way
    /// back.
    async fn rotate_tag(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        old: UrlId,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<RotateTag>;

    /// The tag with this address and its item. Comes before authorization: the address is the right. A new tag
    /// may be found late where the engine's indexes lag; a replaced one is never taken for a good one.
    async fn find_held_tag(&self, url: UrlId) -> Result<Option<HeldTag>>;

    /// Changes the quantity of a tag's item by its step, in one atomic step that stops at 0. The same nonce again
    /// answers the first result and changes nothing. The system acts: nobody knows who held the phone.
    async fn tap(&self, tap: NewTap<'_>) -> Result<Tap>;

    /// Adds to the counts of tags. A tag that is gone is passed over.
    async fn record_accesses(&self, accesses: &[TagAccesses]) -> Result<()>;
}
