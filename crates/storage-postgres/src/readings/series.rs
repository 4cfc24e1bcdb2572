//! Charts: the database gathers the values of each bucket, and answers with one row per bucket.

use jiff::Timestamp;
use larder_domain::{Bucket, HardwareId, SensorName, SeriesSpan};
use larder_storage::{FleetScope, Result, StorageError};

use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid};

impl PostgresStore {
    pub(super) async fn series(
        &self,
        scope: FleetScope,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>, Failure> {
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
    }
}
