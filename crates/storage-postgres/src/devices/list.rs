//! Lists of devices, most recently seen first.

use jiff::Timestamp;
use larder_domain::{Device, DevicePosition, HouseholdId};
use larder_storage::{FleetScope, Page, Result};

use super::row::{DeviceRow, query_devices};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn devices_page(
        &self,
        scope: FleetScope,
        after: Option<&DevicePosition>,
        limit: usize,
    ) -> Result<Page<Device, DevicePosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
        // Exclusive start of the page; the first page starts beyond every possible device.
        let (seen_before, id_below) = after
            .map_or((Instant(Timestamp::MAX), String::new()), |after| {
                (Instant(after.last_seen_at), after.hardware_id.to_string())
            });
        let most = i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1;
        let rows = match scope.household() {
            Some(household) => {
                transaction.household_devices(household, seen_before, &id_below, most).await?
            }
            None => transaction.all_devices(seen_before, &id_below, most).await?,
        };
        let devices = rows.into_iter().map(DeviceRow::into_device).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(devices, limit, Device::position))
    }
}

impl Transaction {
    async fn household_devices(
        &mut self,
        household: HouseholdId,
        seen_before: Instant,
        id_below: &str,
        most: i64,
    ) -> Result<Vec<DeviceRow>, Failure> {
        let rows = query_devices!(
            "SELECT",
            "FROM devices d
             WHERE d.household_id = $1 AND (d.last_seen_at, d.hardware_id) < ($2, $3)
             ORDER BY d.last_seen_at DESC, d.hardware_id DESC LIMIT $4",
            uuid(household),
            seen_before as _,
            id_below,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }

    async fn all_devices(
        &mut self,
        seen_before: Instant,
        id_below: &str,
        most: i64,
    ) -> Result<Vec<DeviceRow>, Failure> {
        let rows = query_devices!(
            "SELECT",
            "FROM devices d
             WHERE (d.last_seen_at, d.hardware_id) < ($1, $2)
             ORDER BY d.last_seen_at DESC, d.hardware_id DESC LIMIT $3",
            seen_before as _,
            id_below,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }
}
