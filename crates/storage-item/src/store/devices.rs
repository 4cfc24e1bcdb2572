//! Devices: registering, finding, listing and naming them.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Device, DevicePosition, FriendlyName, HardwareId, whole_seconds};
use larder_storage::{Devices, FleetScope, Page, RegisterDevice, Registration, Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Change, Condition, RecordEngine, Table,
    layout::{device, fleet},
};

#[async_trait]
impl<E: RecordEngine> Devices for ItemStore<E> {
    async fn register_device(
        &self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<RegisterDevice> {
        let outcome = self.register(scope, registration).await;
        // Also after a failure, whose outcome may be unknown.
        self.devices.invalidate(&registration.hardware_id);
        outcome
    }

    async fn find_device(&self, scope: FleetScope, device: HardwareId) -> Result<Option<Device>> {
        let found = self.read_device(device).await?;
        Ok(found.filter(|device| scope.sees(device.household)))
    }

    async fn list_devices(
        &self,
        scope: FleetScope,
        after: Option<&DevicePosition>,
        limit: usize,
    ) -> Result<Page<Device, DevicePosition>> {
        let from = after.map(|after| after.last_seen_at);
        let query = fleet::newest_first(Table::Devices, device::ALL, scope, from);
        self.newest_page(query, device::open_from_record, Device::position, after, limit).await
    }

    async fn rename_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Option<Device>> {
        let when = vec![fleet::is_seen_by(scope), device::is_not_closed()];
        let changes = device::renamed(name).into();
        let renamed = self.update_device(device, when, changes, self.clock.now()).await;
        // Also after a failure, whose outcome may be unknown.
        self.devices.invalidate(&device);
        match renamed? {
            Update::Done(device) => Ok(Some(device)),
            Update::Refused(_) | Update::Closed => Ok(None),
        }
    }
}

/// The outcome of a change of a device.
pub(super) enum Update {
    /// The device as it is now.
    Done(Device),
    /// The condition was not met by the device, which is as it was, if it exists.
    Refused(Option<Device>),
    /// The condition was not met by the device, which is being erased.
    Closed,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Most registrations are of existing devices: an update is tried first, and a device is
    /// created only if it does not exist.
    async fn register(
        &self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<RegisterDevice> {
        let id = registration.hardware_id;
        let mut name = registration.friendly_name.as_ref();
        for _ in 0..MAX_ATTEMPTS {
            let mut when = vec![fleet::belongs_to(scope.household()), device::is_not_closed()];
            when.extend(name.map(|_| device::names_itself()));
            let changes = device::registered_again(registration, name);
            match self.update_device(id, when, changes, registration.at).await? {
                Update::Done(device) => return Ok(RegisterDevice::Registered(device)),
                Update::Closed => return Ok(RegisterDevice::NotAllowed),
                Update::Refused(Some(device)) if device.household != scope.household() => {
                    return Ok(RegisterDevice::NotAllowed);
                }
                Update::Refused(Some(device)) => {
                    name = name.filter(|_| !device.is_named_by_person);
                    continue;
                }
                Update::Refused(None) => {}
            }
            let new = first_registration(scope, registration);
            let put = Action::Put {
                table: Table::Devices,
                record: device::to_record(&new),
                when: vec![Condition::NotExists],
                embed: None,
            };
            let set = ChangeSet::new().step((), put);
            let write = Write::at(registration.at);
            if let Commit::Done(_) = self.commit(Actor::System, write, set, None).await? {
                return Ok(RegisterDevice::Registered(new));
            }
            // A concurrent registration was first: it exists now.
        }
        Err(contention("registering a device"))
    }

    pub(super) async fn read_device(&self, id: HardwareId) -> Result<Option<Device>> {
        let record = self.engine.get(Table::Devices, &device::key(id)).await?;
        Ok(record.as_ref().map(device::open_from_record).transpose()?.flatten())
    }

    pub(super) async fn update_device(
        &self,
        id: HardwareId,
        when: Vec<Condition>,
        changes: Vec<Change>,
        at: Timestamp,
    ) -> Result<Update> {
        let (table, key) = (Table::Devices, device::key(id));
        let set = ChangeSet::new().step((), Action::Update { table, key, when, changes });
        match self.commit(Actor::System, Write::at(at), set, None).await? {
            Commit::Done(images) => Ok(Update::Done(images.decode((), device::from_record)?)),
            Commit::Failed((), Some(current)) if device::is_closed(&current) => Ok(Update::Closed),
            Commit::Failed((), current) => {
                let current = current.map(|record| device::from_record(&record)).transpose()?;
                Ok(Update::Refused(current))
            }
        }
    }
}

fn first_registration(scope: FleetScope, registration: &Registration) -> Device {
    let at = whole_seconds(registration.at);
    Device {
        hardware_id: registration.hardware_id,
        household: scope.household(),
        confirmation_id: registration.confirmation_id,
        capabilities: registration.capabilities.clone(),
        first_registered_at: at,
        last_seen_at: at,
        last_boot_id: registration.boot_id,
        firmware_version: registration.firmware_version.clone(),
        friendly_name: registration.friendly_name.clone(),
        is_named_by_person: false,
    }
}
