//! Deleting a resource: at once if it fits into one transaction, and otherwise by a job that starts
//! here.

use larder_domain::{DeletionId, Urn};
use larder_storage::{AccountScope, DeleteResource, Result, StorageError, Write};

use super::{batch::Batch, node::Node, walk::Walk};
use crate::{
    RecordEngine,
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{ChangeSet, Commit},
        contention,
    },
};

/// Whether a tree can go in one transaction.
enum Gathered {
    /// It can, and this is it.
    Whole(Batch),
    /// It is too large.
    TooMuch,
    /// It was changed while it was read, or an index does not show all of it yet.
    Changing,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(in crate::store) async fn delete_tree(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<DeleteResource> {
        let account = scope.account();
        let most = self.engine.max_actions().await?;
        for _ in 0..MAX_ATTEMPTS {
            let Some(node) = self.doomed_node(account, root).await? else {
                return Ok(DeleteResource::NotFound);
            };
            let batch = match self.gather_tree(account, node.clone(), most).await? {
                Gathered::Whole(batch) => batch,
                Gathered::TooMuch => match self.begin_tree_deletion(scope, &node, id, write).await?
                {
                    Some(begun) => return Ok(DeleteResource::Begun(begun)),
                    None => continue,
                },
                Gathered::Changing => continue,
            };
            let steps = batch.actions(account).into_iter().map(|action| ((), action));
            let set = ChangeSet::new().steps(steps);
            match self.commit(scope.actor(), write, set, None).await {
                Ok(Commit::Done(_)) => return Ok(DeleteResource::Deleted(batch.resources())),
                Ok(Commit::Failed(..)) => {}
                // Few records, but large ones.
                Err(StorageError::TooLarge(_)) => {
                    if let Some(begun) = self.begin_tree_deletion(scope, &node, id, write).await? {
                        return Ok(DeleteResource::Begun(begun));
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(contention("deleting a resource"))
    }

    /// Collects a tree with every link to it, unless that exceeds this many actions.
    async fn gather_tree(&self, account: &Urn, root: Node, most: usize) -> Result<Gathered> {
        let mut batch = Batch::new();
        let mut walk = Walk::from_root(self, account, root);
        while let Some(node) = walk.next().await? {
            // Each child and each link is an action at least.
            if node.child_count.max(node.link_count) > most as u64 {
                return Ok(Gathered::TooMuch);
            }
            let links = match node.link_count {
                0 => Vec::new(),
                _ => self.links_naming(account, &node.urn, most + 1).await?,
            };
            batch.take(node, links);
            if batch.len() > most {
                return Ok(Gathered::TooMuch);
            }
        }
        Ok(if batch.is_whole() { Gathered::Whole(batch) } else { Gathered::Changing })
    }
}
