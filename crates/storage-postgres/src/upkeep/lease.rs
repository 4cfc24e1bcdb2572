//! Leases, judged by the caller's clock: one statement each, so that of concurrent callers exactly
//! one succeeds.

use jiff::Timestamp;
use larder_storage::{Result, TakenLease};

use crate::{PostgresStore, context::Context, failure::Failure, types::Instant};

impl PostgresStore {
    pub(super) async fn lease(
        &self,
        job: &str,
        holder: &str,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<Option<TakenLease>, Failure> {
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
    }

    pub(super) async fn give_back(
        &self,
        job: &str,
        holder: &str,
        finished_at: Option<Timestamp>,
    ) -> Result<(), Failure> {
        let mut transaction = self.database.write(&Context::of_server()).await?;
        sqlx::query!(
            "UPDATE leases SET holder = NULL, until = NULL, finished_at = COALESCE($3, finished_at)
             WHERE job = $1 AND holder = $2",
            job,
            holder,
            finished_at.map(Instant) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await
    }
}
