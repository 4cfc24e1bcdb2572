//! The shopping list after the deletion of an item: its entries become free text. Deleting the item
//! and creating the job for this are one transaction, so that any server can finish it.

use jiff::Timestamp;
use larder_domain::{HouseholdId, Item, ItemId, Owner};
use larder_storage::{Result, Write};

use super::{
    ItemStore,
    change_set::{Actor, ChangeSet},
};
use crate::{
    Action, Condition, Key, RecordEngine, Table,
    layout::{
        job::{Job, Work},
        keys, shopping,
    },
};

/// The links of a deleted item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// None, which the transaction checks.
    None,
    /// Present or past entries: the count is deleted, and a job is created.
    Counted,
}

impl Links {
    /// The steps that delete an item's count of shopping entries. If one of them fails, it is the other case.
    pub(super) fn delete_with<L: Copy + PartialEq>(
        self,
        set: ChangeSet<L>,
        name: L,
        item: &Item,
        at: Timestamp,
    ) -> ChangeSet<L> {
        // Only households have a shopping list.
        let Owner::Household(household) = item.owner else { return set };
        let key = keys::shopping_link(household, item.id);
        match self {
            Self::None => {
                let (table, when) = (Table::InventoryManagement, vec![Condition::NotExists]);
                set.step(name, Action::Check { table, key, when })
            }
            Self::Counted => {
                let job = Job { work: Work::Unlink, household, item: item.id };
                set.delete(name, key, vec![Condition::Exists]).put(name, job.to_record(at), vec![])
            }
        }
    }

    /// The other case, after a step failed.
    #[must_use]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::None => Self::Counted,
            Self::Counted => Self::None,
        }
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Runs the job of a deletion, if there is one.
    pub(super) async fn after_deletion(
        &self,
        actor: Actor,
        item: &Item,
        links: Links,
        at: Timestamp,
    ) -> Result<()> {
        match (item.owner, links) {
            (Owner::Household(household), Links::Counted) => {
                let job = Job { work: Work::Unlink, household, item: item.id };
                self.finish_unlink(actor, job, at).await
            }
            _ => Ok(()),
        }
    }

    /// Turns the remaining shopping entries of a deleted item into free text. Idempotent.
    pub(super) async fn finish_unlink(&self, actor: Actor, job: Job, at: Timestamp) -> Result<()> {
        self.unlink_entries(actor, job.household, job.item, at).await?;
        let set = ChangeSet::new().delete((), job.key(), vec![]);
        self.commit(actor, Write::at(at), set, None).await?;
        Ok(())
    }

    /// Turns every shopping entry of a deleted item into free text, and returns how many. One pass
    /// is enough: there can be no new references to the item.
    pub(super) async fn unlink_entries(
        &self,
        actor: Actor,
        household: HouseholdId,
        item: ItemId,
        at: Timestamp,
    ) -> Result<u64> {
        let id = item.to_string();
        let records = self.shopping_records(household).await?;
        let linked = records.iter().filter(|entry| entry.text("itemId") == Some(id.as_str()));
        let keys: Vec<Key> =
            linked.filter_map(|record| Table::InventoryManagement.key_of(record)).collect();
        self.commit_each(actor, Write::at(at), &keys, |key| Action::Update {
            table: Table::InventoryManagement,
            key: key.clone(),
            when: vec![Condition::Equals("itemId".into(), id.as_str().into())],
            changes: shopping::orphaned(at),
        })
        .await
    }
}
