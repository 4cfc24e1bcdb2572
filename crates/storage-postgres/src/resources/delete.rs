//! Deleting a resource with its subtree: a small one at once, a large one as a job.

use larder_domain::{Deletion, DeletionId, Urn};
use larder_storage::{AccountScope, DeleteResource, Result, Write};

use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

/// How many resources one transaction deletes at most.
pub(super) const BATCH: usize = 1000;
/// Larger trees are not counted first: that would exceed the statement time-out.
const MOST_COUNTED: i64 = 100_000;
/// The constraint against deleting a parent: a child was added concurrently.
const HAS_CHILDREN: &str = "parent_child_relationships_parent_fkey";

impl PostgresStore {
    pub(super) async fn remove_resource(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<DeleteResource, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        let account = scope.account();
        let Some(root_created_at) = transaction.lock_root(account, root).await? else {
            return Ok(DeleteResource::NotFound);
        };
        let doomed = transaction.leaves_first(account, root, BATCH + 1).await?;
        if doomed.len() <= BATCH {
            let removed = transaction.delete_resources(account, &doomed).await?;
            transaction.commit().await?;
            return Ok(DeleteResource::Deleted(removed));
        }
        let total = transaction.count_subtree(account, root).await?;
        let deletion = Deletion {
            id,
            account: account.clone(),
            root: root.clone(),
            removed: 0,
            total,
            started_at: write.at,
            finished_at: None,
        };
        transaction.insert_deletion(&deletion, root_created_at).await?;
        transaction.commit().await?;
        Ok(DeleteResource::Begun(deletion))
    }
}

impl Transaction {
    /// Locks the account's tree until the transaction ends. Returns when the root was created;
    /// `None` if it does not exist.
    pub(super) async fn lock_root(
        &mut self,
        account: &Urn,
        root: &Urn,
    ) -> Result<Option<Instant>, Failure> {
        sqlx::query!("SELECT FROM fn_lock_tree($1)", account.as_str()).execute(&mut *self).await?;
        let made = sqlx::query_scalar!(
            r#"SELECT r.created_at AS "created_at: Instant" FROM resources r
               WHERE r.account_urn = $1 AND r.urn = $2"#,
            account.as_str(),
            root.as_str(),
        );
        Ok(made.fetch_optional(self).await?)
    }

    /// The first resources of a tree, each after all that is below it.
    pub(super) async fn leaves_first(
        &mut self,
        account: &Urn,
        root: &Urn,
        limit: usize,
    ) -> Result<Vec<String>, Failure> {
        let urns = sqlx::query_scalar!(
            r#"SELECT subtree_leaves_first($1, $2, $3) AS "urns!""#,
            account.as_str(),
            root.as_str(),
            i32::try_from(limit).unwrap_or(i32::MAX),
        );
        Ok(urns.fetch_one(self).await?)
    }

    /// Deletes resources without children, and everything that refers to them. Returns their
    /// number.
    pub(super) async fn delete_resources(
        &mut self,
        account: &Urn,
        urns: &[String],
    ) -> Result<u64, Failure> {
        // Locked in the order in which others lock the ends of a relationship.
        let deleted = sqlx::query!(
            "WITH doomed AS MATERIALIZED (
               SELECT r.urn FROM resources r WHERE r.account_urn = $1 AND r.urn = ANY ($2)
               ORDER BY r.urn FOR UPDATE),
             unlinked AS (
               DELETE FROM parent_child_relationships p USING doomed d
               WHERE p.account_urn = $1 AND p.child_urn = d.urn)
             DELETE FROM resources r USING doomed d WHERE r.account_urn = $1 AND r.urn = d.urn",
            account.as_str(),
            urns,
        )
        .execute(self)
        .await;
        match deleted.map_err(Failure::from) {
            Ok(deleted) => Ok(deleted.rows_affected()),
            Err(Failure::Constraint(name)) if name == HAS_CHILDREN => {
                Err(Failure::Conflict("a resource got a child while it was deleted".to_owned()))
            }
            Err(other) => Err(other),
        }
    }

    /// The number of resources in a tree; `None` if there are too many to count.
    async fn count_subtree(&mut self, account: &Urn, root: &Urn) -> Result<Option<u64>, Failure> {
        let count = sqlx::query_scalar!(
            r#"WITH RECURSIVE below (urn) AS (
                 SELECT $2::text COLLATE "C"
                 UNION ALL
                 SELECT next.child_urn FROM below b CROSS JOIN LATERAL (
                   SELECT p.child_urn FROM parent_child_relationships p
                   WHERE p.account_urn = $1 AND p.parent_urn = b.urn LIMIT $3) AS next)
               SELECT count(*) AS "count!" FROM (SELECT FROM below LIMIT $3) AS counted"#,
            account.as_str(),
            root.as_str(),
            MOST_COUNTED + 1,
        );
        let count = count.fetch_one(self).await?;
        Ok(u64::try_from(count).ok().filter(|_| count <= MOST_COUNTED))
    }

    async fn insert_deletion(
        &mut self,
        deletion: &Deletion,
        root_created_at: Instant,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "INSERT INTO resource_deletions
               (id, account_urn, root_urn, root_created_at, total, started_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
            uuid(deletion.id),
            deletion.account.as_str(),
            deletion.root.as_str(),
            root_created_at as _,
            deletion.total.and_then(|total| i64::try_from(total).ok()),
            Instant(deletion.started_at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
