//! Making a tag, and keeping the name that it copies.

use larder_domain::{HouseholdId, ItemId, ItemName, NfcUrl, TagLabel};
use larder_storage::{HouseholdScope, NewTag, Result, Write, WriteKind};

use super::row::{TagRow, query_tags};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn insert_tag(
        &self,
        scope: HouseholdScope,
        tag: &NewTag,
        write: Write<'_>,
    ) -> Result<Option<NfcUrl>, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        // Locked, so that the item is not renamed before the commit.
        let row = query_tags!(
            "WITH item AS (
                 SELECT i.name FROM inventory_items i WHERE i.household_id = $2 AND i.id = $3
                 FOR SHARE
             )
             INSERT INTO nfc_urls AS t
                 (url_id, household_id, item_id, item_name, label, step, created_by, created_at)
             SELECT $1, $2, $3, item.name, $4, $5::bigint / 100.0, $6, $7 FROM item
             RETURNING",
            "",
            tag.id.reveal(),
            uuid(scope.household()),
            uuid(tag.item),
            tag.label.as_ref().map(TagLabel::as_str),
            tag.step.hundredths(),
            uuid(scope.actor()),
            Instant(write.at) as _,
        );
        let row = row.fetch_optional(&mut transaction).await?;
        let Some(tag) = row.map(TagRow::into_tag).transpose()? else { return Ok(None) };
        transaction.commit_with(scope.actor(), write, WriteKind::TAG_ADDED, &tag).await?;
        Ok(Some(tag))
    }
}

impl Transaction {
    /// Brings the tags of an item, which is locked, to its new name.
    pub(crate) async fn rename_tags(
        &mut self,
        household: HouseholdId,
        item: ItemId,
        name: &ItemName,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "WITH named AS (
                 SELECT url_id FROM nfc_urls WHERE household_id = $1 AND item_id = $2
                 ORDER BY url_id FOR NO KEY UPDATE
             )
             UPDATE nfc_urls t SET item_name = $3 FROM named WHERE t.url_id = named.url_id",
            uuid(household),
            uuid(item),
            name.as_str(),
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
