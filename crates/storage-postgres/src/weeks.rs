//! Weekly partitions of readings: created ahead of time, dropped when all has expired.

use jiff::SignedDuration;
use larder_storage::Result;
use sqlx::postgres::types::PgInterval;

use crate::{
    PostgresStore, context::Context, failure::Failure, transaction::Transaction, types::Instant,
};

/// Partitions created, and dropped, per transaction: each takes a short exclusive lock.
const WEEKS: i32 = 4;

/// A retention that drops no week.
const FOR_EVER: SignedDuration = SignedDuration::from_hours(24 * 365 * 100);

impl PostgresStore {
    /// Creates the partitions that readings need next; drops none.
    pub async fn make_weeks(&self) -> Result<()> {
        let make = || async move {
            let mut transaction = self.database.write(&Context::of_server()).await?;
            self.maintain_weeks(&mut transaction, FOR_EVER).await?;
            transaction.commit().await
        };
        self.retry(make).await
    }

    /// Creates and drops partitions, if it is time. Returns the number of dropped ones.
    pub(crate) async fn maintain_weeks(
        &self,
        transaction: &mut Transaction,
        retention: SignedDuration,
    ) -> Result<u64, Failure> {
        let done = sqlx::query!(
            r#"SELECT made AS "made!", dropped AS "dropped!",
                      has_large_default AS "has_large_default!"
               FROM maintain_reading_weeks($1, $2, $3)"#,
            Instant(self.clock.now()) as _,
            PgInterval {
                months: 0,
                days: 0,
                microseconds: retention.as_secs().saturating_mul(1_000_000),
            },
            WEEKS,
        )
        .fetch_one(transaction)
        .await?;
        if done.has_large_default {
            tracing::warn!(
                "weekly partitions not created: device_readings_default is too large; see docs/postgres.md"
            );
        }
        if done.made > 0 {
            tracing::debug!(weeks = done.made, "weekly partitions created");
        }
        Ok(u64::try_from(done.dropped).unwrap_or(0))
    }
}
