//! Erasing a device.

use jiff::Timestamp;
use larder_domain::{DeletionId, Erasure, ErasureTarget, HardwareId, HouseholdId, UserId};
use larder_storage::{FleetScope, Result, Write};

use super::READINGS_AT_ONCE;
use crate::{
    Action, Change, Condition, ReadingEngine, RecordEngine, Table,
    layout::{device, erasure, fleet},
    store::{
        ItemStore,
        change_set::{Actor, ChangeSet, Commit},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Device,
    Job,
}

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Opens the job and closes the device.
    pub(super) async fn begin_device_erasure(
        &self,
        scope: FleetScope,
        device: HardwareId,
        by: Option<UserId>,
        (id, at): (DeletionId, Timestamp),
    ) -> Result<Option<Erasure>> {
        let target = ErasureTarget::Device(device);
        let erasure = Erasure::begin(id, target.kind(), by, at);
        let when = vec![fleet::is_seen_by(scope), device::is_not_closed()];
        let set = ChangeSet::new().step(Step::Device, close(device, when)).put(
            Step::Job,
            erasure::to_record(&erasure, target),
            vec![Condition::NotExists],
        );
        let begun = self.commit(Actor::System, Write::at(at), set, None).await;
        // Also after a failure, whose outcome may be unknown.
        self.devices.invalidate(&device);
        match begun? {
            Commit::Done(_) => Ok(Some(erasure)),
            Commit::Failed(..) => Ok(None),
        }
    }

    /// Erases the first thing that is left of a device, and returns how many records.
    pub(super) async fn erase_some_of_device(
        &self,
        device: HardwareId,
        is_last_look: bool,
        at: Timestamp,
    ) -> Result<u64> {
        let (table, key) = (Table::Devices, device::key(device));
        let Some(record) = self.engine.get(table, &key).await? else { return Ok(0) };
        if !device::is_closed(&record) {
            // Gone, and registered again by somebody else.
            return Ok(0);
        }
        let household = device::from_record(&record)?.household;
        let removed = self.forget_readings_of(device, household).await?;
        if removed > 0 || !is_last_look {
            return Ok(removed);
        }
        let when = vec![device::has_been_closed()];
        self.commit_alone(at, Action::Delete { table, key, when }).await?;
        Ok(1)
    }

    /// Closes a device, if it is still this household's.
    pub(super) async fn close_device(
        &self,
        device: HardwareId,
        household: HouseholdId,
        at: Timestamp,
    ) -> Result<()> {
        let when = vec![fleet::belongs_to(Some(household)), device::is_not_closed()];
        self.commit_alone(at, close(device, when)).await?;
        self.devices.invalidate(&device);
        Ok(())
    }

    pub(super) async fn forget_readings_of(
        &self,
        device: HardwareId,
        household: Option<HouseholdId>,
    ) -> Result<u64> {
        Ok(self.engine.forget_readings(device, household, READINGS_AT_ONCE).await? as u64)
    }
}

fn close(device: HardwareId, when: Vec<Condition>) -> Action {
    let changes = vec![Change::Set(device::CLOSED.into(), true.into())];
    Action::Update { table: Table::Devices, key: device::key(device), when, changes }
}
