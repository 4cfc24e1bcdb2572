//! Deletions in several transactions, each of which shrinks the tree and records its progress.

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Deletion, DeletionId, Urn};
use larder_storage::{AccountScope, Result};
use uuid::Uuid;

use super::{delete::BATCH, row::read_urn};
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    transaction::Transaction,
    types::Instant,
};

/// How long a finished deletion can be queried.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

/// A row of `resource_deletions`.
struct DeletionRow {
    id: Uuid,
    account_urn: String,
    root_urn: String,
    root_created_at: Instant,
    removed: i64,
    total: Option<i64>,
    started_at: Instant,
    finished_at: Option<Instant>,
}

impl PostgresStore {
    pub(super) async fn deletion(
        &self,
        scope: &AccountScope,
        id: DeletionId,
    ) -> Result<Option<Deletion>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        let row = transaction.deletion_row(scope.account(), uuid(id)).await?;
        let deletion = row.map(DeletionRow::into_deletion).transpose()?;
        let forgotten = self.clock.now() - REMEMBERED;
        Ok(deletion.filter(|deletion| deletion.finished_at.is_none_or(|at| at > forgotten)))
    }

    /// One batch. Concurrent runs wait at the tree's lock, and then continue from there.
    pub(crate) async fn delete_some_more(
        &self,
        deletion: &Deletion,
        at: Timestamp,
    ) -> Result<Deletion, Failure> {
        let context = Context::of_account(&deletion.account);
        let mut transaction = self.database.write(&context).await?;
        let (account, root) = (&deletion.account, &deletion.root);
        let root_created_at = transaction.lock_root(account, root).await?;
        let Some(row) = transaction.deletion_row(account, uuid(deletion.id)).await? else {
            // Finished so long ago that its record has expired.
            let finished_at = deletion.finished_at.or(Some(at));
            return Ok(Deletion { finished_at, ..deletion.clone() });
        };
        if row.finished_at.is_some() {
            return Ok(row.into_deletion()?);
        }
        // The root itself is the last to go; one that was re-created under its name is a different
        // one.
        let mut removed = 0;
        let mut is_finished = root_created_at != Some(row.root_created_at);
        if !is_finished {
            let doomed = transaction.leaves_first(account, root, BATCH).await?;
            is_finished = doomed.last().is_some_and(|last| last == root.as_str());
            removed = transaction.delete_resources(account, &doomed).await?;
        }
        let finished_at = is_finished.then_some(at);
        transaction.note_progress(account, row.id, removed, finished_at).await?;
        let row = transaction.deletion_row(account, row.id).await?;
        let deletion = row.map_or(Ok(deletion.clone()), DeletionRow::into_deletion)?;
        transaction.commit().await?;
        Ok(deletion)
    }

    /// Deletes a batch of each open deletion, in any account. Returns the number of deletions.
    pub(crate) async fn resume_deletions(&self, at: Timestamp, limit: usize) -> Result<u64> {
        let open = self.retry(|| self.open_deletions(limit)).await?;
        for deletion in &open {
            self.retry(|| self.delete_some_more(deletion, at)).await?;
        }
        Ok(u64::try_from(open.len()).unwrap_or(u64::MAX))
    }

    /// Open deletions are listed across accounts, and read account by account.
    async fn open_deletions(&self, limit: usize) -> Result<Vec<Deletion>, Failure> {
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let open = sqlx::query!(
            r#"SELECT id AS "id!", account_urn AS "account_urn!" FROM open_deletions($1)"#,
            i32::try_from(limit).unwrap_or(i32::MAX),
        );
        let mut deletions = Vec::new();
        for row in open.fetch_all(&mut transaction).await? {
            let account = read_urn("resource_deletions", "account_urn", &row.account_urn)?;
            transaction.extend(Context::of_account(&account)).await?;
            let row = transaction.deletion_row(&account, row.id).await?;
            deletions.extend(row.map(DeletionRow::into_deletion).transpose()?);
        }
        Ok(deletions)
    }
}

impl Transaction {
    async fn deletion_row(
        &mut self,
        account: &Urn,
        id: Uuid,
    ) -> Result<Option<DeletionRow>, Failure> {
        let row = sqlx::query_as!(
            DeletionRow,
            r#"SELECT id, account_urn, root_urn, root_created_at AS "root_created_at: Instant",
                 removed, total, started_at AS "started_at: Instant",
                 finished_at AS "finished_at: Instant"
               FROM resource_deletions WHERE id = $1 AND account_urn = $2"#,
            id,
            account.as_str(),
        );
        Ok(row.fetch_optional(self).await?)
    }

    async fn note_progress(
        &mut self,
        account: &Urn,
        id: Uuid,
        removed: u64,
        finished_at: Option<Timestamp>,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE resource_deletions SET removed = removed + $3, finished_at = $4
             WHERE id = $1 AND account_urn = $2",
            id,
            account.as_str(),
            i64::try_from(removed).unwrap_or(i64::MAX),
            finished_at.map(Instant) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}

impl DeletionRow {
    fn into_deletion(self) -> Result<Deletion> {
        let record = format!("resource_deletions {}", self.id);
        let count = |column: &str, count: i64| {
            u64::try_from(count).map_err(|reason| misfit(&record, column, reason))
        };
        Ok(Deletion {
            id: domain_id(self.id),
            account: read_urn(&record, "account_urn", &self.account_urn)?,
            root: read_urn(&record, "root_urn", &self.root_urn)?,
            removed: count("removed", self.removed)?,
            total: self.total.map(|total| count("total", total)).transpose()?,
            started_at: self.started_at.0,
            finished_at: self.finished_at.map(|at| at.0),
        })
    }
}
