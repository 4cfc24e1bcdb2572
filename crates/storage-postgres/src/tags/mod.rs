//! Tags and taps. Lock order: the item first, then its tags in order of their ids.

mod accesses;
mod add;
mod held;
mod list;
mod rotate;
mod row;
mod tap;

use async_trait::async_trait;
use larder_domain::{ItemId, NfcUrl, TagPosition, UrlId};
use larder_storage::{
    HeldTag, HouseholdScope, NewTag, NewTap, Page, Result, RotateTag, TagAccesses, Tags, Tap, Write,
};

use crate::{PostgresStore, ids::inventory_id};

#[async_trait]
impl Tags for PostgresStore {
    async fn add_tag(
        &self,
        scope: HouseholdScope,
        tag: &NewTag,
        write: Write<'_>,
    ) -> Result<Option<NfcUrl>> {
        self.database.retry(|| self.insert_tag(scope, tag, write)).await
    }

    async fn list_item_tags(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>> {
        self.database.retry(|| self.tags_of_item(scope, item, after, limit)).await
    }

    async fn list_tags(
        &self,
        scope: HouseholdScope,
        after: Option<&TagPosition>,
        limit: usize,
    ) -> Result<Page<NfcUrl, TagPosition>> {
        self.database.retry(|| self.tags_of_household(scope, after, limit)).await
    }

    async fn rotate_tag(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        old: UrlId,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<RotateTag> {
        self.database.retry(|| self.replace_tag(scope, item, old, new, write)).await
    }

    async fn find_held_tag(&self, url: UrlId) -> Result<Option<HeldTag>> {
        self.database.retry(|| self.held_tag(url)).await
    }

    async fn tap(&self, tap: NewTap<'_>) -> Result<Tap> {
        let outcome = self.database.retry(|| self.tap_once(tap)).await?;
        if let Tap::Done { item, is_repeated: false, .. } = &outcome {
            self.live.changed(inventory_id(item.owner));
        }
        Ok(outcome)
    }

    async fn record_accesses(&self, accesses: &[TagAccesses]) -> Result<()> {
        if accesses.is_empty() {
            return Ok(());
        }
        self.database.retry(|| self.count_accesses(accesses)).await
    }
}
