//! Changing and deleting a tag.

use larder_domain::{TagLabel, TagPatch, TagStep, UrlId};
use larder_storage::{HouseholdScope, Result, UpdateTag, Write};

use super::row::query_tags;
use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid};

impl PostgresStore {
    pub(super) async fn change_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        patch: &TagPatch,
        write: Write<'_>,
    ) -> Result<UpdateTag, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let row = query_tags!(
            "UPDATE nfc_urls t
             SET label = CASE WHEN $3 THEN $4 ELSE t.label END,
                 step = COALESCE($5::bigint / 100.0, t.step)
             WHERE t.household_id = $1 AND t.url_id = $2 AND t.rotated_at IS NULL
             RETURNING",
            "",
            uuid(scope.household()),
            url.reveal(),
            patch.label.is_some(),
            patch.label.as_ref().and_then(Option::as_ref).map(TagLabel::as_str),
            patch.step.map(TagStep::hundredths),
        );
        if let Some(row) = row.fetch_optional(&mut transaction).await? {
            let tag = row.into_tag()?;
            transaction.commit().await?;
            return Ok(UpdateTag::Updated(Box::new(tag)));
        }
        let rotated = sqlx::query!(
            "SELECT FROM nfc_urls WHERE household_id = $1 AND url_id = $2",
            uuid(scope.household()),
            url.reveal(),
        );
        let is_rotated = rotated.fetch_optional(&mut transaction).await?.is_some();
        Ok(if is_rotated { UpdateTag::Rotated } else { UpdateTag::NotFound })
    }

    /// Its nonces are deleted with it.
    pub(super) async fn remove_tag(
        &self,
        scope: HouseholdScope,
        url: UrlId,
        write: Write<'_>,
    ) -> Result<bool, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let deleted = sqlx::query!(
            "DELETE FROM nfc_urls WHERE household_id = $1 AND url_id = $2",
            uuid(scope.household()),
            url.reveal(),
        );
        let deleted = deleted.execute(&mut transaction).await?.rows_affected();
        transaction.commit().await?;
        Ok(deleted > 0)
    }
}
