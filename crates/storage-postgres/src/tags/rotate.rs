//! Replacing a tag by one with another URL. Irreversible.

use larder_domain::{ItemId, NfcUrl, UrlId};
use larder_storage::{HouseholdScope, Result, RotateTag, Write, WriteKind};

use super::row::{TagRow, query_tags};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn replace_tag(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        old: UrlId,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<RotateTag, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        transaction.hold_name(scope, item).await?;
        let Some(current) = transaction.lock_tag(scope, item, old).await? else {
            return Ok(RotateTag::NotFound);
        };
        if !current.is_active() {
            return Ok(RotateTag::AlreadyRotated(current));
        }
        let old = Box::new(transaction.retire_tag(scope, &current, write).await?);
        let new = Box::new(transaction.succeed_tag(scope, &old, new, write).await?);
        let kind = WriteKind::tag_rotated(&old);
        transaction.commit_with(scope.actor(), write, kind, &*new).await?;
        Ok(RotateTag::Rotated { old, new })
    }
}

impl Transaction {
    /// Locks the item, if it still exists, against renaming, which must include the new tag.
    async fn hold_name(&mut self, scope: HouseholdScope, item: ItemId) -> Result<(), Failure> {
        sqlx::query!(
            "SELECT FROM inventory_items WHERE household_id = $1 AND id = $2 FOR SHARE",
            uuid(scope.household()),
            uuid(item),
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Locks the tag against taps.
    async fn lock_tag(
        &mut self,
        scope: HouseholdScope,
        item: ItemId,
        url: UrlId,
    ) -> Result<Option<NfcUrl>, Failure> {
        let row = query_tags!(
            "SELECT",
            "FROM nfc_urls t
             WHERE t.household_id = $1 AND t.item_id = $2 AND t.url_id = $3
             FOR UPDATE",
            uuid(scope.household()),
            uuid(item),
            url.reveal(),
        );
        Ok(row.fetch_optional(self).await?.map(TagRow::into_tag).transpose()?)
    }

    async fn retire_tag(
        &mut self,
        scope: HouseholdScope,
        tag: &NfcUrl,
        write: Write<'_>,
    ) -> Result<NfcUrl, Failure> {
        let row = query_tags!(
            "UPDATE nfc_urls t SET rotated_at = $2, rotated_by = $3 WHERE t.url_id = $1
             RETURNING",
            "",
            tag.id.reveal(),
            Instant(write.at) as _,
            uuid(scope.actor()),
        );
        Ok(row.fetch_one(self).await?.into_tag()?)
    }

    /// Creates the replacement of a tag.
    async fn succeed_tag(
        &mut self,
        scope: HouseholdScope,
        old: &NfcUrl,
        new: UrlId,
        write: Write<'_>,
    ) -> Result<NfcUrl, Failure> {
        let row = query_tags!(
            "INSERT INTO nfc_urls AS t
                 (url_id, household_id, item_id, item_name, label, step, created_by, created_at)
             SELECT $1, o.household_id, o.item_id, o.item_name, o.label, o.step, $3, $4
             FROM nfc_urls o WHERE o.url_id = $2
             RETURNING",
            "",
            new.reveal(),
            old.id.reveal(),
            uuid(scope.actor()),
            Instant(write.at) as _,
        );
        Ok(row.fetch_one(self).await?.into_tag()?)
    }
}
