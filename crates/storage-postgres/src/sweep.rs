//! Deletes expired rows in small batches, one server at a time; creates partitions ahead.

use std::ops::AddAssign;

use larder_storage::Result;

use crate::{
    PostgresStore, context::Context, failure::Failure, transaction::Transaction, types::Instant,
};

/// How many rows of each kind one transaction deletes.
const BATCH: i32 = 1000;
/// Larger for telemetry, whose rows are small and many.
const TELEMETRY_BATCH: i32 = 5000;
/// How many batches one sweep does at most; the next sweep continues.
const MOST_BATCHES: usize = 50;
/// Advisory lock: one server sweeps at a time.
const SWEEPING: i64 = 0x006c_6172_6465_7201;

/// Numbers of deleted rows.
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
    /// Entries of shopping lists that had been bought long enough ago.
    pub shopping_items: u64,
    /// Nonces of taps.
    pub tap_nonces: u64,
    /// Notifications that had ended long enough ago.
    pub notifications: u64,
    /// Dead letters past their retention.
    pub dead_letters: u64,
    /// Deletions of resources, and erasures, that had ended a day ago.
    pub deletions: u64,
    /// Photos that no product had named for long enough.
    pub photos: u64,
    /// Batch ids of readings.
    pub batch_ids: u64,
    /// Readings past their time that were in no week of their own.
    pub stray_readings: u64,
    /// Weeks of readings that were past their time, as a whole.
    pub dropped_weeks: u64,
}

impl AddAssign for Swept {
    fn add_assign(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.idempotency_keys += other.idempotency_keys;
        self.audit_entries += other.audit_entries;
        self.feed_entries += other.feed_entries;
        self.shopping_items += other.shopping_items;
        self.tap_nonces += other.tap_nonces;
        self.notifications += other.notifications;
        self.dead_letters += other.dead_letters;
        self.deletions += other.deletions;
        self.photos += other.photos;
        self.batch_ids += other.batch_ids;
        self.stray_readings += other.stray_readings;
        self.dropped_weeks += other.dropped_weeks;
    }
}

impl PostgresStore {
    /// Deletes expired rows and history past its retention, and creates the partitions that
    /// readings need next. Does nothing while another server is sweeping.
    pub async fn sweep(&self) -> Result<Swept> {
        let mut total = Swept::default();
        for _ in 0..MOST_BATCHES {
            let batch = self.retry(|| self.sweep_batch()).await?;
            total += batch;
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
        let mut swept = self.sweep_homes(&mut transaction).await?;
        swept.deletions = self.sweep_deletions(&mut transaction).await?;
        swept.deletions += self.sweep_erasures(&mut transaction).await?;
        swept.photos = self.sweep_photos(&mut transaction).await?;
        self.sweep_telemetry(&mut transaction, &mut swept).await?;
        transaction.commit().await?;
        Ok(swept)
    }

    async fn sweep_telemetry(
        &self,
        transaction: &mut Transaction,
        swept: &mut Swept,
    ) -> Result<(), Failure> {
        let rows = sqlx::query!(
            r#"SELECT batch_ids AS "batch_ids!", readings AS "readings!"
               FROM sweep_telemetry($1, $2)"#,
            Instant(self.clock.now()) as _,
            TELEMETRY_BATCH,
        )
        .fetch_one(&mut *transaction)
        .await?;
        swept.batch_ids = count(rows.batch_ids);
        swept.stray_readings = count(rows.readings);
        // Last, because its lock is exclusive until the commit.
        swept.dropped_weeks =
            self.maintain_weeks(transaction, self.database.options().reading_retention).await?;
        Ok(())
    }

    async fn sweep_deletions(&self, transaction: &mut Transaction) -> Result<u64, Failure> {
        let swept = sqlx::query_scalar!(
            r#"SELECT sweep_deletions($1, $2) AS "swept!""#,
            Instant(self.clock.now()) as _,
            BATCH,
        );
        Ok(count(swept.fetch_one(transaction).await?))
    }

    async fn sweep_erasures(&self, transaction: &mut Transaction) -> Result<u64, Failure> {
        let swept = sqlx::query_scalar!(
            r#"SELECT sweep_erasures($1, $2) AS "swept!""#,
            Instant(self.clock.now()) as _,
            BATCH,
        );
        Ok(count(swept.fetch_one(transaction).await?))
    }

    async fn sweep_photos(&self, transaction: &mut Transaction) -> Result<u64, Failure> {
        let swept = sqlx::query_scalar!(
            r#"SELECT sweep_photos($1, $2) AS "swept!""#,
            Instant(self.clock.now()) as _,
            BATCH,
        );
        Ok(count(swept.fetch_one(transaction).await?))
    }

    /// Rows of users and households.
    async fn sweep_homes(&self, transaction: &mut Transaction) -> Result<Swept, Failure> {
        let now = self.clock.now();
        let swept = sqlx::query!(
            r#"SELECT sessions AS "sessions!", idempotency_keys AS "idempotency_keys!",
                      audit AS "audit!", outbox AS "outbox!",
                      shopping_list_items AS "shopping_list_items!", tap_nonces AS "tap_nonces!",
                      notifications AS "notifications!", dead_letters AS "dead_letters!"
               FROM sweep_expired($1, $2, $3)"#,
            Instant(now) as _,
            Instant(now - self.database.options().journal_retention) as _,
            BATCH,
        )
        .fetch_one(transaction)
        .await?;
        Ok(Swept {
            sessions: count(swept.sessions),
            idempotency_keys: count(swept.idempotency_keys),
            audit_entries: count(swept.audit),
            feed_entries: count(swept.outbox),
            shopping_items: count(swept.shopping_list_items),
            tap_nonces: count(swept.tap_nonces),
            notifications: count(swept.notifications),
            dead_letters: count(swept.dead_letters),
            ..Swept::default()
        })
    }
}

fn count(rows: i64) -> u64 {
    u64::try_from(rows).unwrap_or(0)
}
