//! A device's readings by time, and within a millisecond by batch id.

use jiff::Timestamp;
use larder_domain::{HardwareId, Reading, ReadingPosition};
use larder_storage::{FleetScope, Page, ReadingRange, Result};

use super::row::{ReadingRow, query_readings};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
};

/// Bounds of the first page: before and after every time, and before every batch id.
const BEFORE_ALL: i64 = 0;
const AFTER_ALL: i64 = i64::MAX;

/// A page as statement parameters. The cursor also narrows the time range, so that earlier weeks
/// are pruned.
struct PageQuery {
    scope: FleetScope,
    device: String,
    from: i64,
    to: i64,
    cursor: (i64, String),
    most: i64,
    at_s: i64,
}

impl PostgresStore {
    pub(super) async fn newest_reading(
        &self,
        scope: FleetScope,
        device: HardwareId,
        at: Timestamp,
    ) -> Result<Option<Reading>, Failure> {
        let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
        let row = query_readings!(
            "FROM device_readings r
             WHERE r.hardware_id = $1 AND r.expiration_time > $2
               AND ($3::uuid IS NULL OR r.household_id = $3)
             ORDER BY r.timestamp_ms DESC, r.batch_id DESC LIMIT 1",
            device.to_string(),
            at.as_second(),
            scope.household().map(uuid),
        );
        let row = row.fetch_optional(&mut transaction).await?;
        Ok(row.map(ReadingRow::into_reading).transpose()?)
    }

    pub(super) async fn readings_page(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Reading, ReadingPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
        let first = if range.oldest_first { BEFORE_ALL } else { AFTER_ALL };
        let (from, to) = (range.from.as_millis(), range.to.as_millis());
        let cursor = after.map_or((first, String::new()), |after| {
            (after.time.as_millis(), after.batch_id.to_string())
        });
        let query = PageQuery {
            scope,
            device: device.to_string(),
            from: if range.oldest_first { from.max(cursor.0) } else { from },
            to: if range.oldest_first { to } else { to.min(cursor.0) },
            cursor,
            most: i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1,
            at_s: at.as_second(),
        };
        let rows = if range.oldest_first {
            transaction.readings_forwards(&query).await?
        } else {
            transaction.readings_backwards(&query).await?
        };
        let readings =
            rows.into_iter().map(ReadingRow::into_reading).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(readings, limit, Reading::position))
    }
}

impl Transaction {
    async fn readings_forwards(&mut self, query: &PageQuery) -> Result<Vec<ReadingRow>, Failure> {
        let rows = query_readings!(
            "FROM device_readings r
             WHERE r.hardware_id = $1 AND r.timestamp_ms BETWEEN $2 AND $3
               AND (r.timestamp_ms, r.batch_id) > ($4, $5)
               AND r.expiration_time > $6 AND ($7::uuid IS NULL OR r.household_id = $7)
             ORDER BY r.timestamp_ms, r.batch_id LIMIT $8",
            query.device,
            query.from,
            query.to,
            query.cursor.0,
            query.cursor.1,
            query.at_s,
            query.scope.household().map(uuid),
            query.most,
        );
        Ok(rows.fetch_all(self).await?)
    }

    async fn readings_backwards(&mut self, query: &PageQuery) -> Result<Vec<ReadingRow>, Failure> {
        let rows = query_readings!(
            "FROM device_readings r
             WHERE r.hardware_id = $1 AND r.timestamp_ms BETWEEN $2 AND $3
               AND (r.timestamp_ms, r.batch_id) < ($4, $5)
               AND r.expiration_time > $6 AND ($7::uuid IS NULL OR r.household_id = $7)
             ORDER BY r.timestamp_ms DESC, r.batch_id DESC LIMIT $8",
            query.device,
            query.from,
            query.to,
            query.cursor.0,
            query.cursor.1,
            query.at_s,
            query.scope.household().map(uuid),
            query.most,
        );
        Ok(rows.fetch_all(self).await?)
    }
}
