//! The name of an item on its tags. Renaming the item and creating the job for its tags are one
//! transaction, so that any server can finish it. A tag takes a name only in a transaction in which
//! the item has it: of two concurrent renames, the slower cannot leave the older name behind.

use jiff::Timestamp;
use larder_domain::{HouseholdId, ItemId, ItemName, Owner};
use larder_storage::{Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Change, Condition, Key, RecordEngine, Table,
    layout::{fields::Fields, job::Job, keys},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Tag,
    Job,
}

/// The item's name for its tags.
pub(super) enum Named {
    /// It has this name.
    As(ItemName),
    /// Deleted: the tags keep its last name.
    Deleted,
}

impl Named {
    /// Makes a transaction depend on it.
    pub(super) fn check(&self, household: HouseholdId, item: ItemId) -> Action {
        let condition = match self {
            Self::As(name) => Condition::Equals("name".into(), name.as_str().into()),
            Self::Deleted => Condition::NotExists,
        };
        let key = keys::item(Owner::Household(household), item);
        Action::Check { table: Table::InventoryManagement, key, when: vec![condition] }
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// The name of an item now.
    pub(super) async fn name_of(&self, household: HouseholdId, item: ItemId) -> Result<Named> {
        let record = self.get(&keys::item(Owner::Household(household), item)).await?;
        let name =
            record.as_ref().map(|record| Fields(record).parse("name", ItemName::parse_stored));
        Ok(name.transpose()?.map_or(Named::Deleted, Named::As))
    }

    /// Updates the tags of a renamed item. Idempotent.
    pub(super) async fn finish_rename(&self, job: Job, at: Timestamp) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let named = self.name_of(job.household, job.item).await?;
            if self.name_tags(&named, job.household, job.item, at).await?.is_none() {
                continue;
            }
            let set = ChangeSet::new()
                .step(Step::Item, named.check(job.household, job.item))
                .delete(Step::Job, job.key(), vec![]);
            if let Commit::Done(_) = self.commit(Actor::System, Write::at(at), set, None).await? {
                return Ok(());
            }
        }
        Err(contention("naming tags"))
    }

    /// Corrects the item's name on its tags, and returns how many differed.
    pub(super) async fn correct_tag_names(
        &self,
        household: HouseholdId,
        item: ItemId,
        at: Timestamp,
    ) -> Result<u64> {
        for _ in 0..MAX_ATTEMPTS {
            let named = self.name_of(household, item).await?;
            if let Some(corrected) = self.name_tags(&named, household, item, at).await? {
                return Ok(corrected);
            }
        }
        Err(contention("naming tags"))
    }

    /// Copies this name to the tags of an item while it is current, and returns how many differed;
    /// `None` if the item was renamed meanwhile.
    async fn name_tags(
        &self,
        named: &Named,
        household: HouseholdId,
        item: ItemId,
        at: Timestamp,
    ) -> Result<Option<u64>> {
        let Named::As(name) = named else { return Ok(Some(0)) };
        let pk = keys::family_pk(household);
        let tags = self.all_under(pk, &keys::item_tags_prefix(item)).await?;
        let misnamed = tags.iter().filter(|tag| tag.text("itemName") != Some(name.as_str()));
        let misnamed: Vec<Key> =
            misnamed.filter_map(|record| Table::InventoryManagement.key_of(record)).collect();
        for chunk in misnamed.chunks(self.changes_at_once().await?) {
            let set = ChangeSet::new().step(Step::Item, named.check(household, item));
            let set = chunk.iter().fold(set, |set, key| {
                let changes = vec![Change::Set("itemName".into(), name.as_str().into())];
                set.update(Step::Tag, key.clone(), vec![Condition::Exists], changes)
            });
            let commit = self.commit(Actor::System, Write::at(at), set, None).await?;
            if let Commit::Failed(_, _) = commit {
                return Ok(None);
            }
        }
        Ok(Some(misnamed.len() as u64))
    }
}
