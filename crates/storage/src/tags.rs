//! NFC tags and taps.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    HouseholdId, Item, ItemId, NfcUrl, TagLabel, TagPatch, TagPosition, TagStep, TapDirection,
    TapNonce, UrlId,
};

use crate::{HouseholdScope, Page, Result, Write};

/// A tag to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    /// The last part of its URL.
    pub id: UrlId,
    /// The item that it changes.
    pub item: ItemId,
    /// The household's label for it.
    pub label: Option<TagLabel>,
    /// The quantity of one tap.
    pub step: TagStep,
}

/// The result of replacing a tag.
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

/// The result of changing a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateTag {
    /// The tag now.
    Updated(Box<NfcUrl>),
    /// The household has no such tag.
    NotFound,
    /// It was replaced, so nothing about it matters any more.
    Rotated,
}

/// A tag as its holder sees it.
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
    /// The last part of the tag's URL.
    pub url: UrlId,
    /// Take or put back.
    pub direction: TapDirection,
    /// Identifies the tap.
    pub nonce: &'a TapNonce,
    /// Until when the nonce is remembered.
    pub remember_until: Timestamp,
    /// When it happens.
    pub at: Timestamp,
}

/// The result of a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tap {
    /// Applied, now or, if it is repeated, by the first request.
    Done(TapDone),
    /// No tag has this address.
    Unknown,
    /// The tag was replaced.
    Rotated,
    /// The tag's item was deleted.
    ItemDeleted,
    /// The sum would be too large; this is the unchanged item.
    Overflow(Item),
}

/// A tap that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TapDone {
    /// The item after it, as it was then.
    pub item: Item,
    /// The applied delta, in hundredths; 0 if the item was empty.
    pub applied_hundredths: i64,
    /// Whether the nonce had been used before, and nothing was changed now.
    pub is_repeated: bool,
}

/// The number of page views of a tag since the last report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagAccesses {
    /// The household.
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

/// Tags of a household, and the actions of their holders.
#[async_trait]
pub trait Tags: Send + Sync {
    /// Creates a tag of an item of the household. `None` if there is no such item.
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

    /// Replaces a tag by one with another URL, same item, label and step. One transaction;
    /// irreversible.
    async fn rotate_tag(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        old: UrlId,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<RotateTag>;

    /// Changes the label and the step of an active tag of the household. Taps have the new step from
    /// then on. A new tag may be found late, as in [`Tags::find_held_tag`].
    async fn update_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        patch: &TagPatch,
        write: Write<'_>,
    ) -> Result<UpdateTag>;

    /// Deletes a tag of the household, replaced or not; `false` if there is none. From then on its
    /// URL is unknown, also to a repeated tap. A new tag may be found late.
    async fn delete_tag(&self, scope: HouseholdScope, url: UrlId, write: Write<'_>)
    -> Result<bool>;

    /// The tag with this URL and its item. Precedes authorization: the URL is the proof. A new tag
    /// may be found late if the engine's indexes lag; a replaced one is never considered active.
    async fn find_held_tag(&self, url: UrlId) -> Result<Option<HeldTag>>;

    /// Adjusts the quantity of a tag's item by its step, atomically, stopping at 0. A repeated
    /// nonce returns the first result and changes nothing. The actor is the system: the tag's
    /// holder is unknown.
    async fn tap(&self, tap: NewTap<'_>) -> Result<Tap>;

    /// Adds to the counts of tags. Deleted tags are skipped.
    async fn record_accesses(&self, accesses: &[TagAccesses]) -> Result<()>;
}
