//! Deleting what has expired, in small batches, by one server at a time.

use larder_storage::Result;

use crate::{PostgresStore, context::Context, failure::Failure, types::Instant};

/// How many rows of each kind one transaction deletes.
const BATCH: i32 = 1000;
/// How many batches one sweep does at most; the next sweep goes on.
const MOST_BATCHES: usize = 50;
/// The lock that one sweeping server holds.
const SWEEPING: i64 = 0x006c_6172_6465_7201;

/// What a sweep deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Logins that had expired.
    pub sessions: u64,
    /// Idempotency keys that had expired.
    pub idempotency_keys: u64,
    /// Entries of audit trails past their time.
    pub audit_entries: u64,
    /// Entries of the change feed past their time.
    pub feed_entries: u64,
}

impl PostgresStore {
    /// Deletes expired logins and idempotency keys, and history older than its retention. Does nothing while
    /// another server is at it.
    pub async fn sweep(&self) -> Result<Swept> {
        let mut total = Swept::default();
        for _ in 0..MOST_BATCHES {
            let batch = self.database.retry(|| self.sweep_batch()).await?;
            total.sessions += batch.sessions;
            total.idempotency_keys += batch.idempotency_keys;
            total.audit_entries += batch.audit_entries;
            total.feed_entries += batch.feed_entries;
            if batch == Swept::default() {
                break;
            }
        }
        Ok(total)
    }

    async fn sweep_batch(&self) -> Result<Swept, Failure> {
        let mut transaction = self.database.write(&Context::of_server()).await?;
        let is_mine =
            sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock($1) AS "mine!""#, SWEEPING)
                .fetch_one(&mut transaction)
                .await?;
        if !is_mine {
            return Ok(Swept::default());
        }
        let now = self.clock.now();
        let swept = sqlx::query!(
            r#"SELECT sessions AS "sessions!", idempotency_keys AS "idempotency_keys!",
                      audit AS "audit!", outbox AS "outbox!"
               FROM sweep_expired($1, $2, $3)"#,
            Instant(now) as _,
            Instant(now - self.database.options().journal_retention) as _,
            BATCH,
        )
        .fetch_one(&mut transaction)
        .await?;
        transaction.commit().await?;
        let count = |rows: i64| u64::try_from(rows).unwrap_or(0);
        Ok(Swept {
            sessions: count(swept.sessions),
            idempotency_keys: count(swept.idempotency_keys),
            audit_entries: count(swept.audit),
            feed_entries: count(swept.outbox),
        })
    }
}
