//! Collections and their members.

use larder_domain::{CollectionMemberRelationship, Urn};
use larder_storage::{AccountScope, AddMember, Result, Write};

use crate::{PostgresStore, context::Context, failure::Failure, types::Instant};

impl PostgresStore {
    pub(super) async fn put_into(
        &self,
        scope: &AccountScope,
        link: &CollectionMemberRelationship,
        write: Write<'_>,
    ) -> Result<AddMember, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        // The ends are locked in the order that deletion uses. A row that was just inserted cannot
        // have been changed.
        let answer = sqlx::query!(
            r#"WITH ends AS MATERIALIZED (
                 SELECT r.urn FROM resources r WHERE r.account_urn = $1 AND r.urn = ANY (ARRAY[$2, $3])
                 ORDER BY r.urn FOR KEY SHARE),
               put AS (
                 INSERT INTO collection_member_relationships AS m
                   (account_urn, collection_urn, member_urn, conveys_authorization, created_at)
                 SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM ends) = 2
                 ON CONFLICT (account_urn, collection_urn, member_urn) DO UPDATE
                 SET conveys_authorization = EXCLUDED.conveys_authorization
                 RETURNING m.xmax = 0 AS is_new)
               SELECT $2 IN (SELECT e.urn FROM ends e) AS "has_collection!",
                 (SELECT is_new FROM put) AS is_new"#,
            scope.account().as_str(),
            link.collection().as_str(),
            link.member().as_str(),
            link.conveys_authorization,
            Instant(write.at) as _,
        )
        .fetch_one(&mut transaction)
        .await?;
        let outcome = match (answer.has_collection, answer.is_new) {
            (false, _) => return Ok(AddMember::CollectionNotFound),
            (true, None) => return Ok(AddMember::MemberNotFound),
            (true, Some(true)) => AddMember::Added,
            (true, Some(false)) => AddMember::AlreadyMember,
        };
        transaction.commit().await?;
        Ok(outcome)
    }

    pub(super) async fn take_out_of(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        let done = sqlx::query!(
            "DELETE FROM collection_member_relationships m
             WHERE m.account_urn = $1 AND m.collection_urn = $2 AND m.member_urn = $3",
            scope.account().as_str(),
            collection.as_str(),
            member.as_str(),
        )
        .execute(&mut transaction)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        transaction.commit().await?;
        Ok(true)
    }
}
