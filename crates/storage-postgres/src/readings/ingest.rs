//! Ingesting readings: one call of one function, auto-committed.

use larder_storage::{FleetScope, Ingest, Result};

use super::sending::Sending;
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    /// If the connection is lost, the outcome is unknown. An immediate retry is safe, because batch
    /// ids make it idempotent; readings that this request stored are then reported as duplicates,
    /// as they would be to a device that resends.
    pub(super) async fn send(
        &self,
        scope: FleetScope,
        sending: &Sending,
    ) -> Result<Ingest, Failure> {
        if let Some(mut alone) = self.database.single().await? {
            return alone.ingest(scope, sending).await;
        }
        let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
        let outcome = transaction.ingest(scope, sending).await?;
        transaction.commit().await?;
        Ok(outcome)
    }
}

impl Transaction {
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
