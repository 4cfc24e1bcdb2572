//! Background work of the servers of one store. Changes are never left half applied: each is one
//! transaction, whatever its size, except deletions of large trees.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{HouseholdId, Zone};
use larder_storage::{Drift, DueHousehold, Result, SystemScope, TakenLease, Upkeep};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    transaction::Transaction,
    types::Instant,
};

#[async_trait]
impl Upkeep for PostgresStore {
    async fn take_lease(
        &self,
        job: &'static str,
        holder: &str,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<Option<TakenLease>> {
        // Judged by the caller's clock, in one statement, so that of concurrent callers exactly one
        // succeeds.
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_server()).await?;
            let taken = sqlx::query!(
                r#"INSERT INTO leases AS l (job, holder, until) VALUES ($1, $2, $3)
                   ON CONFLICT (job) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
                   WHERE l.holder IS NULL OR l.holder = EXCLUDED.holder OR l.until <= $4
                   RETURNING finished_at AS "finished_at: Instant""#,
                job,
                holder,
                Instant(until) as _,
                Instant(at) as _,
            )
            .fetch_optional(&mut transaction)
            .await?;
            let Some(taken) = taken else { return Ok(None) };
            transaction.commit().await?;
            Ok(Some(TakenLease { last_finished_at: taken.finished_at.map(|at| at.0) }))
        })
        .await
    }

    async fn release_lease(
        &self,
        job: &'static str,
        holder: &str,
        finished_at: Option<Timestamp>,
    ) -> Result<()> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_server()).await?;
            sqlx::query!(
                "UPDATE leases
                 SET holder = NULL, until = NULL, finished_at = COALESCE($3, finished_at)
                 WHERE job = $1 AND holder = $2",
                job,
                holder,
                finished_at.map(Instant) as _,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        })
        .await
    }

    async fn find_bookmark(&self, job: &'static str) -> Result<Option<String>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_server()).await?;
            let place = sqlx::query_scalar!("SELECT place FROM bookmarks WHERE job = $1", job);
            Ok(place.fetch_optional(&mut transaction).await?)
        })
        .await
    }

    async fn keep_bookmark(&self, job: &'static str, place: Option<&str>) -> Result<()> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_server()).await?;
            if let Some(place) = place {
                let put = sqlx::query!(
                    "INSERT INTO bookmarks (job, place) VALUES ($1, $2)
                     ON CONFLICT (job) DO UPDATE SET place = EXCLUDED.place",
                    job,
                    place,
                );
                put.execute(&mut transaction).await?;
            } else {
                let take_out = sqlx::query!("DELETE FROM bookmarks WHERE job = $1", job);
                take_out.execute(&mut transaction).await?;
            }
            transaction.commit().await
        })
        .await
    }

    async fn resume_work(&self, at: Timestamp, limit: usize) -> Result<u64> {
        Ok(self.resume_deletions(at, limit).await? + self.resume_erasures(at, limit).await?)
    }

    async fn due_households(&self, now: Timestamp, limit: usize) -> Result<Vec<DueHousehold>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_server()).await?;
            let rows = sqlx::query!(
                r#"SELECT household_id AS "household_id!", due_at AS "due_at!: Instant"
                   FROM due_households($1, $2)"#,
                Instant(now) as _,
                i32::try_from(limit).unwrap_or(i32::MAX),
            )
            .fetch_all(&mut transaction)
            .await?;
            let mut due = Vec::with_capacity(rows.len());
            for row in rows {
                let household = domain_id(row.household_id);
                if let Some(zone) = transaction.zone_of(household).await? {
                    due.push(DueHousehold { household, zone, due_at: row.due_at.0 });
                }
            }
            Ok(due)
        })
        .await
    }

    async fn finish_day(&self, due: &DueHousehold, next: Timestamp) -> Result<()> {
        self.retry(|| async move {
            let context = Context::of_server().household(due.household);
            let mut transaction = self.database.write(&context).await?;
            sqlx::query!(
                "UPDATE households SET next_daily_at = $3 WHERE id = $1 AND next_daily_at = $2",
                uuid(due.household),
                Instant(due.due_at) as _,
                Instant(next) as _,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        })
        .await
    }

    async fn households_after(
        &self,
        after: Option<HouseholdId>,
        limit: usize,
    ) -> Result<(Vec<HouseholdId>, Option<HouseholdId>)> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_server()).await?;
            let ids = sqlx::query_scalar!(
                r#"SELECT household_id AS "household_id!" FROM households_after($1, $2)"#,
                after.map(uuid),
                i32::try_from(limit).unwrap_or(i32::MAX),
            )
            .fetch_all(&mut transaction)
            .await?;
            let households: Vec<HouseholdId> = ids.into_iter().map(domain_id).collect();
            let next = households.last().copied().filter(|_| households.len() == limit);
            Ok((households, next))
        })
        .await
    }

    async fn reconcile(&self, scope: SystemScope, _at: Timestamp) -> Result<Drift> {
        let tag_names = self.retry(|| async move {
            // Corrects the item names copied to tags, and returns how many differed.
            let mut transaction = self.database.write(&Context::of_system(scope)).await?;
            // The same lock as renaming, so that the copied names are current.
            let items = sqlx::query_scalar!(
                "SELECT i.id FROM inventory_items i WHERE i.household_id = $1
                 AND EXISTS (
                     SELECT FROM nfc_urls t
                     WHERE t.household_id = $1 AND t.item_id = i.id AND t.item_name <> i.name)
                 ORDER BY i.id FOR NO KEY UPDATE",
                uuid(scope.household()),
            )
            .fetch_all(&mut transaction)
            .await?;
            if items.is_empty() {
                return Ok(0);
            }
            let corrected = sqlx::query!(
                "UPDATE nfc_urls t SET item_name = i.name FROM inventory_items i
                 WHERE t.household_id = $1 AND t.item_id = i.id AND t.item_name <> i.name
                 AND i.household_id = $1 AND i.id = ANY ($2)",
                uuid(scope.household()),
                &items,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await?;
            Ok(corrected.rows_affected())
        });
        let tag_names = tag_names.await?;
        // The rest cannot drift: links are foreign keys, pending entries are counted on demand, and
        // every household is enrolled for the daily job.
        Ok(Drift { tag_names, ..Drift::default() })
    }
}

impl Transaction {
    /// The zone of a household, read in its context.
    async fn zone_of(&mut self, household: HouseholdId) -> Result<Option<Zone>, Failure> {
        self.extend(Context::default().household(household)).await?;
        let zone =
            sqlx::query_scalar!("SELECT time_zone FROM households WHERE id = $1", uuid(household))
                .fetch_optional(&mut *self)
                .await?;
        let zone = zone.map(|zone| Zone::parse(&zone)).transpose();
        let record = || format!("households {household}");
        Ok(zone.map_err(|reason| misfit(record(), "time_zone", reason))?)
    }
}
