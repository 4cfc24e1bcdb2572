//! Work on more records than fit into one transaction.

use larder_storage::{Result, Write};

use super::{
    ItemStore,
    change_set::{Actor, ChangeSet, Commit},
};
use crate::{Action, RecordEngine};

/// Records changed per transaction, if the engine allows it. More would delay others.
const AT_ONCE: usize = 50;

impl<E: RecordEngine> ItemStore<E> {
    /// How many records one transaction may change on this engine.
    pub(super) async fn changes_at_once(&self) -> Result<usize> {
        Ok(AT_ONCE.min(self.engine.max_changes().await?).max(1))
    }

    /// Applies the same action to many records, in as few transactions as possible, and skips those
    /// whose conditions no longer hold. Returns the number of changed records.
    pub(super) async fn commit_each<T: Sync>(
        &self,
        actor: impl Into<Actor> + Send,
        write: Write<'_>,
        targets: &[T],
        action: impl Fn(&T) -> Action + Send + Sync,
    ) -> Result<u64> {
        let actor: Actor = actor.into();
        let change_set = |targets: &[T]| {
            targets.iter().fold(ChangeSet::new(), |set, target| set.step((), action(target)))
        };
        let mut done = 0;
        for chunk in targets.chunks(self.changes_at_once().await?) {
            if let Commit::Done(_) = self.commit(actor, write, change_set(chunk), None).await? {
                done += chunk.len() as u64;
                continue;
            }
            // A condition failed: one by one, so that it does not block the others.
            for single in chunk.chunks(1) {
                let commit = self.commit(actor, write, change_set(single), None).await?;
                done += u64::from(matches!(commit, Commit::Done(_)));
            }
        }
        Ok(done)
    }
}
