//! The records of deletions in more than one transaction.

use jiff::Timestamp;
use larder_domain::{Deletion, DeletionId, Urn};
use larder_storage::{AccountScope, Result, StorageError, Write};

use super::node::Node;
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::{
        deletion::Cascade,
        fields::timestamp_text,
        keys,
        relational::{CREATED_AT, keys as relational_keys, resource},
    },
    store::{
        ItemStore,
        change_set::{ChangeSet, Commit},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Job,
    Root,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Creates the job that deletes a tree; `None` if its root was deleted meanwhile.
    pub(super) async fn begin_tree_deletion(
        &self,
        scope: &AccountScope,
        root: &Node,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<Option<Deletion>> {
        let account = scope.account();
        let named = (root.urn.clone(), root.created_at);
        let cascade = Cascade::new(id, account.clone(), named, write.at);
        let created_at = timestamp_text(root.created_at).into();
        let is_there = Action::Check {
            table: Table::Relational,
            key: relational_keys::resource(&root.urn),
            when: vec![resource::is_of(account), Condition::Equals(CREATED_AT.into(), created_at)],
        };
        let set = ChangeSet::new()
            .put(Step::Job, cascade.to_record(), vec![Condition::NotExists])
            .step(Step::Root, is_there);
        match self.commit(scope.actor(), write, set, None).await? {
            Commit::Done(_) => Ok(Some(cascade.deletion)),
            Commit::Failed(Step::Root, _) => Ok(None),
            // Requested twice with the same id: it has begun.
            Commit::Failed(Step::Job, current) => {
                let begun = current.map(|record| Cascade::from_record(&record)).transpose()?;
                let begun = begun.map(|begun| begun.deletion);
                match begun.filter(|begun| begun.root == root.urn) {
                    Some(begun) => Ok(Some(begun)),
                    None => Err(StorageError::Defect("two deletions of one id".to_owned())),
                }
            }
        }
    }

    pub(in crate::store) async fn tree_deletion(
        &self,
        scope: &AccountScope,
        id: DeletionId,
    ) -> Result<Option<Deletion>> {
        Ok(self.cascade(scope.account(), id).await?.map(|cascade| cascade.deletion))
    }

    /// The current state of a deletion.
    pub(super) async fn cascade(&self, account: &Urn, id: DeletionId) -> Result<Option<Cascade>> {
        let record = self.get(&keys::cascade_job(account, id)).await?;
        record.as_ref().map(Cascade::from_record).transpose()
    }

    /// Finishes a deletion whose record was found in an index; `false` if nothing was left.
    pub(in crate::store) async fn finish_tree_deletion(
        &self,
        shown: &Deletion,
        at: Timestamp,
    ) -> Result<bool> {
        let found = self.cascade(&shown.account, shown.id).await?;
        let Some(mut deletion) = found.map(|cascade| cascade.deletion) else { return Ok(false) };
        let was_open = deletion.finished_at.is_none();
        while deletion.finished_at.is_none() {
            deletion = self.continue_tree_deletion(&deletion, at).await?;
        }
        Ok(was_open)
    }
}
