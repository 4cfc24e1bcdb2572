//! Erasing households, accounts and devices: one transaction takes the access away, and batches
//! take the rest.
//!
//! What is left is found anew each time, so that a batch can be repeated, and a finished pass over
//! everything that finds nothing shows that nothing is left.

mod account;
mod device;
mod history;
mod household;
mod partition;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{DeletionId, Erasure, ErasureTarget, HardwareId, UserId};
use larder_storage::{EraseAccount, Erasures, FleetScope, HouseholdScope, Result, Write};

use super::{
    ItemStore,
    change_set::{Actor, ChangeSet},
};
use crate::{
    Action, ReadingEngine, Record, RecordEngine, Table,
    layout::{erasure, keys},
};

/// How many records of a partition one batch erases, and how many changes it forgets.
const RECORDS_AT_ONCE: usize = 200;
const CHANGES_AT_ONCE: usize = 500;
const READINGS_AT_ONCE: usize = 5_000;

#[async_trait]
impl<E: RecordEngine + ReadingEngine> Erasures for ItemStore<E> {
    async fn erase_household(
        &self,
        scope: HouseholdScope,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>> {
        self.begin_household_erasure(scope, id, at).await
    }

    async fn erase_account(
        &self,
        user: UserId,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<EraseAccount> {
        self.begin_account_erasure(user, id, at).await
    }

    async fn erase_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        by: Option<UserId>,
        id: DeletionId,
        at: Timestamp,
    ) -> Result<Option<Erasure>> {
        self.begin_device_erasure(scope, device, by, (id, at)).await
    }

    async fn continue_erasure(&self, id: DeletionId, at: Timestamp) -> Result<Option<Erasure>> {
        let key = keys::erasure(id);
        let Some(record) = self.get(&key).await? else { return Ok(None) };
        let mut state = erasure::from_record(&record)?;
        let Some(target) = erasure::target(&record)? else { return Ok(Some(state)) };
        let is_last_look = state.is_last_look(at);
        let removed = match target {
            ErasureTarget::Household(household) => {
                self.erase_some_of_household(household, is_last_look, at).await?
            }
            ErasureTarget::Account(user) => self.erase_some_of_account(user, at).await?,
            ErasureTarget::Device(device) => {
                self.erase_some_of_device(device, is_last_look, at).await?
            }
        };
        if removed > 0 {
            self.commit_alone(at, erasure::progressed(id, removed)).await?;
            state.removed += removed;
        } else if is_last_look {
            let last = match target {
                // Even that this person began it.
                ErasureTarget::Account(_) => {
                    Action::Delete { table: Table::InventoryManagement, key, when: Vec::new() }
                }
                _ => erasure::finished(id, at),
            };
            self.commit_alone(at, last).await?;
            state.finished_at = Some(at);
        }
        Ok(Some(state))
    }

    async fn find_erasure(&self, by: Option<UserId>, id: DeletionId) -> Result<Option<Erasure>> {
        let record = self.get(&keys::erasure(id)).await?;
        let found = record.as_ref().map(erasure::from_record).transpose()?;
        Ok(found.filter(|erasure| erasure.begun_by == by))
    }
}

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Continues an erasure that was found in an index, as far as it gets. `false` if it has
    /// finished before, or has to wait for its last look.
    pub(super) async fn resume_erasure(&self, found: &Record, at: Timestamp) -> Result<bool> {
        let (id, mut before) = (erasure::from_record(found)?.id, None);
        loop {
            let Some(now) = self.continue_erasure(id, at).await? else { return Ok(false) };
            if now.finished_at.is_some() {
                return Ok(before.is_some());
            }
            if before == Some(now.removed) {
                return Ok(false);
            }
            before = Some(now.removed);
        }
    }

    /// Commits one action as the system; a failed condition means that somebody else has.
    async fn commit_alone(&self, at: Timestamp, action: Action) -> Result<()> {
        let set = ChangeSet::new().step((), action);
        self.commit(Actor::System, Write::at(at), set, None).await?;
        Ok(())
    }
}
