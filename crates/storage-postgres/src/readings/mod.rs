//! Readings, in a table partitioned by week.

mod json;
mod row;
mod sending;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Bucket, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan};
use larder_storage::{
    FleetScope, Ingest, NewReadings, Page, ReadingRange, Readings, Result, StorageError,
};
use row::{ReadingRow, query_readings};
use sending::Sending;

use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, ids::uuid,
    transaction::Transaction, types::Instant,
};

/// Bounds of the first page: before and after every time, and before every batch id.
const BEFORE_ALL: i64 = 0;
const AFTER_ALL: i64 = i64::MAX;

#[async_trait]
impl Readings for PostgresStore {
    async fn ingest(&self, scope: FleetScope, readings: NewReadings) -> Result<Ingest> {
        let sending = Sending::new(&readings);
        // If the connection is lost, the outcome is unknown. An immediate retry is safe, because
        // batch ids make it idempotent; readings that this request stored are then reported as
        // duplicates, as they would be to a device that resends.
        self.retry(|| async {
            if let Some(mut alone) = self.database.single().await? {
                return alone.ingest(scope, &sending).await;
            }
            let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
            let outcome = transaction.ingest(scope, &sending).await?;
            transaction.commit().await?;
            Ok(outcome)
        })
        .await
    }

    async fn latest_reading(
        &self,
        scope: FleetScope,
        device: HardwareId,
        at: Timestamp,
    ) -> Result<Option<Reading>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
            let row = query_readings!(
                "FROM device_readings r
                 WHERE r.hardware_id = $1 AND r.expiration_time > $2
                   AND ($3::uuid IS NULL OR r.household_id = $3)
                   AND EXISTS (SELECT FROM devices d WHERE d.hardware_id = $1)
                 ORDER BY r.timestamp_ms DESC, r.batch_id DESC LIMIT 1",
                device.to_string(),
                at.as_second(),
                scope.household().map(uuid),
            );
            let row = row.fetch_optional(&mut transaction).await?;
            Ok(row.map(ReadingRow::into_reading).transpose()?)
        })
        .await
    }

    async fn list_readings(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Reading, ReadingPosition>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
            let first = if range.oldest_first { BEFORE_ALL } else { AFTER_ALL };
            let (from, to) = (range.from.as_millis(), range.to.as_millis());
            let cursor = after.map_or((first, String::new()), |after| {
                (after.time.as_millis(), after.batch_id.to_string())
            });
            // A device that is being erased has readings, but is not there. The cursor also narrows the time range, so that earlier weeks are pruned.
            let rows = if range.oldest_first {
                query_readings!(
                    "FROM device_readings r
                     WHERE r.hardware_id = $1 AND r.timestamp_ms BETWEEN $2 AND $3
                       AND (r.timestamp_ms, r.batch_id) > ($4, $5)
                       AND r.expiration_time > $6 AND ($7::uuid IS NULL OR r.household_id = $7)
                       AND EXISTS (SELECT FROM devices d WHERE d.hardware_id = $1)
                     ORDER BY r.timestamp_ms, r.batch_id LIMIT $8",
                    device.to_string(),
                    from.max(cursor.0),
                    to,
                    cursor.0,
                    cursor.1,
                    at.as_second(),
                    scope.household().map(uuid),
                    one_more(limit),
                )
                .fetch_all(&mut transaction)
                .await?
            } else {
                query_readings!(
                    "FROM device_readings r
                     WHERE r.hardware_id = $1 AND r.timestamp_ms BETWEEN $2 AND $3
                       AND (r.timestamp_ms, r.batch_id) < ($4, $5)
                       AND r.expiration_time > $6 AND ($7::uuid IS NULL OR r.household_id = $7)
                       AND EXISTS (SELECT FROM devices d WHERE d.hardware_id = $1)
                     ORDER BY r.timestamp_ms DESC, r.batch_id DESC LIMIT $8",
                    device.to_string(),
                    from,
                    to.min(cursor.0),
                    cursor.0,
                    cursor.1,
                    at.as_second(),
                    scope.household().map(uuid),
                    one_more(limit),
                )
                .fetch_all(&mut transaction)
                .await?
            };
            let readings = rows.into_iter().map(ReadingRow::into_reading);
            Ok(Page::cut(readings.collect::<Result<_>>()?, limit, Reading::position))
        })
        .await
    }

    async fn reading_series(
        &self,
        scope: FleetScope,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        self.retry(|| async move {
            // The database gathers the values of each bucket, and answers with one row per bucket.
            let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
            let (from, to) = (span.from().as_millis(), span.to().as_millis());
            // The same rule as `SeriesSpan::bucket_of`, in integers. OFFSET 0 extracts the value of
            // each reading only once, and keeps the aggregation to times and values.
            let rows = sqlx::query!(
                r#"SELECT (v.timestamp_ms - $2) * $4 / ($3 - $2 + 1) AS "number!",
                          count(*) AS "count!", min(v.value) AS "min!", sum(v.value) AS "sum!",
                          max(v.value) AS "max!"
                   FROM (
                       SELECT r.timestamp_ms, (r.sensors -> $5)::float8 AS value
                       FROM device_readings r
                       WHERE r.hardware_id = $1 AND r.timestamp_ms BETWEEN $2 AND $3
                         AND r.expiration_time > $6 AND ($7::uuid IS NULL OR r.household_id = $7)
                         AND EXISTS (SELECT FROM devices d WHERE d.hardware_id = $1)
                       AND EXISTS (SELECT FROM devices d WHERE d.hardware_id = $1)
                       OFFSET 0
                   ) AS v
                   WHERE v.value IS NOT NULL
                   GROUP BY 1 ORDER BY 1"#,
                device.to_string(),
                from,
                to,
                i64::from(span.buckets()),
                sensor.as_str(),
                at.as_second(),
                scope.household().map(uuid),
            )
            .fetch_all(&mut transaction)
            .await?;
            let buckets = rows.into_iter().map(|row| {
                let (Ok(number), Ok(count)) = (u32::try_from(row.number), u64::try_from(row.count))
                else {
                    let reason = format!("a bucket has the number {}", row.number);
                    return Err(StorageError::Defect(reason).into());
                };
                // A mean of rounded sums may leave the range by a hair.
                #[expect(clippy::cast_precision_loss, reason = "nobody sends 2^53 readings")]
                let mean = (row.sum / row.count as f64).clamp(row.min, row.max);
                Ok(Bucket { number, count, min: row.min, mean, max: row.max })
            });
            buckets.collect()
        })
        .await
    }
}

impl Transaction {
    /// One call of one function.
    async fn ingest(&mut self, scope: FleetScope, sending: &Sending) -> Result<Ingest, Failure> {
        let columns = &sending.columns;
        // The answer is complete only after the commit; `fetch_one` waits for that.
        let answer = sqlx::query!(
            "SELECT not_allowed, duplicates
             FROM ingest_readings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            scope.household().map(uuid) as _,
            Instant(sending.at) as _,
            sending.remember_until_s,
            &sending.devices(),
            &columns.hardware_ids,
            &columns.timestamps,
            &columns.batch_ids,
            &columns.boot_ids,
            &columns.firmware_versions,
            &columns.sensors,
            &columns.sensor_statuses,
            &columns.expirations,
        )
        .fetch_one(self)
        .await?;
        Ok(match answer.not_allowed {
            Some(devices) => sending.not_allowed(&devices),
            None => sending.done(&answer.duplicates.unwrap_or_default()),
        })
    }
}
