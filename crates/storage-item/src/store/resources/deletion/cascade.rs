//! Deleting a tree leaf by leaf.
//!
//! Each transaction takes as many resources as fit, leaves first: leaves, then resources that have
//! become leaves, up to the root, with which the job ends. So a crash at any point leaves a smaller
//! tree, and a resumed job starts at the root again. No earlier read is trusted: a resource is
//! deleted only as it was read, with every link to it, and only if nothing in the account was moved
//! since the descent began. Otherwise the tree is read again.

use jiff::Timestamp;
use larder_domain::{Deletion, Urn};
use larder_storage::{Result, StorageError, Write};

use super::{
    batch::Batch,
    node::Node,
    walk::{Siblings, Walk},
};
use crate::{
    Action, RecordEngine,
    layout::{
        deletion::Cascade,
        keys,
        relational::tree::{self, TreeVersion},
    },
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{Actor, ChangeSet, Commit},
        contention,
    },
};

/// Transactions per call. In a deep tree, each call first reads its way down.
const TRANSACTIONS_PER_CALL: usize = 256;
/// Actions of each transaction besides the batch: the job, and the version of the account's tree.
const BESIDES: usize = 2;
/// The smallest batch that a resource without links and unique values fits into, and one of its links.
const LEAST_ACTIONS: usize = 4;

impl<E: RecordEngine> ItemStore<E> {
    pub(in crate::store) async fn continue_tree_deletion(
        &self,
        deletion: &Deletion,
        at: Timestamp,
    ) -> Result<Deletion> {
        let Some(cascade) = self.cascade(&deletion.account, deletion.id).await? else {
            // Finished so long ago that its record has expired.
            let finished_at = deletion.finished_at.or(Some(at));
            return Ok(Deletion { finished_at, ..deletion.clone() });
        };
        if cascade.deletion.finished_at.is_none() && cascade.deletion.total.is_none() {
            self.count_tree(&cascade, at).await?;
        }
        let most = self.engine.max_actions().await?;
        Descent::new(self, cascade, most - BESIDES, at).run().await
    }

    /// Records the total number of resources.
    async fn count_tree(&self, cascade: &Cascade, at: Timestamp) -> Result<()> {
        let Deletion { account, root, .. } = &cascade.deletion;
        let Some(root) = self.doomed_node(account, root).await? else { return Ok(()) };
        let mut walk = Walk::from_root(self, account, root);
        let mut total = 0;
        while walk.next().await?.is_some() {
            total += 1;
        }
        let set = ChangeSet::new().step((), cascade.counted(total));
        // A refusal means that the count or the end was recorded concurrently.
        self.commit(Actor::System, Write::at(at), set, None).await?;
        Ok(())
    }
}

/// The state of a deletion during one call.
pub(super) struct Descent<'s, E> {
    pub(super) store: &'s ItemStore<E>,
    pub(super) cascade: Cascade,
    pub(super) at: Timestamp,
    /// The number of actions that fit into a batch.
    pub(super) room: usize,
    pub(super) batch: Batch,
    /// The path from the root down to the current resource; empty before the descent.
    pub(super) above: Vec<Open>,
    /// The version of the tree when the descent began, to detect moves.
    tree: Option<TreeVersion>,
    transactions: usize,
    /// Consecutive attempts without progress.
    failures: usize,
}

/// A resource whose children are being deleted.
pub(super) struct Open {
    children: Siblings,
    /// Tells it from a later resource of the same name.
    pub(super) created_at: Timestamp,
}

impl Open {
    fn new(node: Node) -> Self {
        Self { created_at: node.created_at, children: Siblings::all(node.urn) }
    }

    pub(super) const fn urn(&self) -> &Urn {
        &self.children.parent
    }
}

/// Whether the reads are still valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// So far.
    Current,
    /// Stale: the descent starts again.
    Stale,
}

impl<'s, E: RecordEngine> Descent<'s, E> {
    fn new(store: &'s ItemStore<E>, cascade: Cascade, room: usize, at: Timestamp) -> Self {
        let (batch, above, tree) = (Batch::new(), Vec::new(), None);
        Self { store, cascade, at, room, batch, above, tree, transactions: 0, failures: 0 }
    }

    async fn run(mut self) -> Result<Deletion> {
        while self.transactions < TRANSACTIONS_PER_CALL {
            if self.above.is_empty() && !self.begin().await? {
                break;
            }
            self.step().await?;
        }
        // The last word is the store's: others may have worked on it too.
        let deletion = self.cascade.deletion;
        let current = self.store.cascade(&deletion.account, deletion.id).await?;
        Ok(current.map_or(deletion, |cascade| cascade.deletion))
    }

    pub(super) const fn account(&self) -> &Urn {
        &self.cascade.deletion.account
    }

    /// Begins at the root; `false` if nothing is left to do.
    async fn begin(&mut self) -> Result<bool> {
        let Deletion { id, account, root, removed, .. } = self.cascade.deletion.clone();
        let Some(cascade) = self.store.cascade(&account, id).await? else { return Ok(false) };
        if cascade.deletion.removed > removed {
            // A concurrent deletion did some of the work.
            self.failures = 0;
        }
        self.cascade = cascade;
        if self.cascade.deletion.finished_at.is_some() {
            return Ok(false);
        }
        let version = self.store.get(&keys::tree(&account)).await?;
        self.tree = Some(tree::version_of(version.as_ref())?);
        let root = self.store.doomed_node(&account, &root).await?;
        let root = root.filter(|root| root.created_at == self.cascade.root_created_at);
        let Some(root) = root else {
            let set = ChangeSet::new().step((), self.cascade.finished(0, self.at));
            // A refusal means that it was finished concurrently.
            self.store.commit(Actor::System, Write::at(self.at), set, None).await?;
            return Ok(false);
        };
        self.above.push(Open::new(root));
        Ok(true)
    }

    /// Continues with the current resource: descends to its children, takes a leaf, or closes a
    /// resource without children.
    async fn step(&mut self) -> Result<()> {
        let account = &self.cascade.deletion.account;
        let Some(open) = self.above.last_mut() else { return Ok(()) };
        match open.children.next(self.store, account).await? {
            Some(child) if child.child_count > 0 => self.above.push(Open::new(child)),
            Some(leaf) => {
                self.take(leaf).await?;
            }
            None => self.close().await?,
        }
        Ok(())
    }

    /// Takes a resource whose children are all taken.
    async fn close(&mut self) -> Result<()> {
        let Some(open) = self.above.last() else { return Ok(()) };
        let node = self.store.doomed_node(self.account(), open.urn()).await?;
        let Some(node) = node.filter(|node| node.created_at == open.created_at) else {
            return self.look_again();
        };
        if node.child_count == self.batch.children_of(&node.urn) {
            let is_root = self.above.len() == 1;
            if self.take(node).await? == Seen::Current {
                self.above.pop();
                if is_root {
                    self.flush().await?;
                }
            }
        } else if self.batch.is_empty() {
            // Children were added meanwhile.
            self.stall()?;
            self.above.pop();
            self.above.push(Open::new(node));
        } else {
            // Concurrent changes are detected after its other children are gone.
            self.flush().await?;
        }
        Ok(())
    }

    /// Commits the batch.
    pub(super) async fn flush(&mut self) -> Result<Seen> {
        if self.batch.is_empty() {
            return Ok(Seen::Current);
        }
        let batch = std::mem::replace(&mut self.batch, Batch::new());
        let noted = if batch.takes(&self.cascade.deletion.root) {
            self.cascade.finished(batch.resources(), self.at)
        } else {
            self.cascade.progressed(batch.resources())
        };
        let mut actions = batch.actions(self.account());
        actions.push(noted);
        self.commit(actions).await
    }

    /// Commits, if nothing was moved since the descent began.
    pub(super) async fn commit(&mut self, mut actions: Vec<Action>) -> Result<Seen> {
        actions.extend(self.tree.map(|tree| tree.unchanged(self.account())));
        let steps = actions.into_iter().map(|action| ((), action));
        let set = ChangeSet::new().steps(steps);
        self.transactions += 1;
        match self.store.commit(Actor::System, Write::at(self.at), set, None).await {
            Ok(Commit::Done(_)) => {
                self.failures = 0;
                if self.transactions == TRANSACTIONS_PER_CALL {
                    self.forget();
                    return Ok(Seen::Stale);
                }
                return Ok(Seen::Current);
            }
            Ok(Commit::Failed(..)) => {}
            // Few records, but large ones.
            Err(StorageError::TooLarge(_)) if self.room > LEAST_ACTIONS => {
                self.room = (self.room / 2).max(LEAST_ACTIONS);
            }
            Err(error) => return Err(error),
        }
        self.look_again()?;
        Ok(Seen::Stale)
    }

    /// Begins at the root again.
    pub(super) fn look_again(&mut self) -> Result<()> {
        self.forget();
        self.stall()
    }

    fn forget(&mut self) {
        self.batch = Batch::new();
        self.above.clear();
    }

    /// Counts an attempt without progress.
    pub(super) fn stall(&mut self) -> Result<()> {
        self.failures += 1;
        if self.failures < MAX_ATTEMPTS { Ok(()) } else { Err(contention("deleting resources")) }
    }
}
