//! Pre-order traversal of a tree without recursion, siblings in order of their URNs.

use std::collections::{HashSet, VecDeque};

use larder_domain::Urn;
use larder_storage::{Result, StorageError};

use super::node::Node;
use crate::{RecordEngine, store::ItemStore};

/// The remaining children of one resource, read in pages.
#[derive(Debug)]
pub(super) struct Siblings {
    pub(super) parent: Urn,
    read: VecDeque<Node>,
    unread: Unread,
}

#[derive(Debug)]
enum Unread {
    All,
    Behind(Urn),
    Nothing,
}

impl Siblings {
    pub(super) const fn all(parent: Urn) -> Self {
        Self { parent, read: VecDeque::new(), unread: Unread::All }
    }

    fn behind(parent: Urn, child: Urn) -> Self {
        Self { unread: Unread::Behind(child), ..Self::all(parent) }
    }

    pub(super) async fn next<E: RecordEngine>(
        &mut self,
        store: &ItemStore<E>,
        account: &Urn,
    ) -> Result<Option<Node>> {
        while self.read.is_empty() {
            let after = match &self.unread {
                Unread::All => None,
                Unread::Behind(child) => Some(child),
                Unread::Nothing => return Ok(None),
            };
            let (nodes, next) = store.doomed_children(account, &self.parent, after).await?;
            self.read = nodes.into();
            self.unread = next.map_or(Unread::Nothing, Unread::Behind);
            // Reads run on this thread: yield between two of them.
            tokio::task::yield_now().await;
        }
        Ok(self.read.pop_front())
    }
}

/// A walk through a tree.
pub(super) struct Walk<'s, E> {
    store: &'s ItemStore<E>,
    account: &'s Urn,
    root: Option<Node>,
    above: Vec<Siblings>,
}

impl<'s, E: RecordEngine> Walk<'s, E> {
    /// A walk that begins with the root itself.
    pub(super) const fn from_root(store: &'s ItemStore<E>, account: &'s Urn, root: Node) -> Self {
        Self { store, account, root: Some(root), above: Vec::new() }
    }

    /// A traversal that continues after a resource; finished if that is no longer below the root.
    pub(super) async fn behind(
        store: &'s ItemStore<E>,
        account: &'s Urn,
        root: &Urn,
        after: &Urn,
    ) -> Result<Self> {
        let mut above = vec![Siblings::all(after.clone())];
        let (mut at, mut passed) = (after.clone(), HashSet::new());
        while at != *root {
            let parent = store.doomed_node(account, &at).await?.and_then(|node| node.parent);
            let Some(parent) = parent else {
                above.clear();
                break;
            };
            if !passed.insert(at.clone()) {
                let (record, reason) = (at.to_string(), "is above itself".to_owned());
                return Err(StorageError::Corrupt { record, reason });
            }
            above.push(Siblings::behind(parent.clone(), at));
            at = parent;
        }
        above.reverse();
        Ok(Self { store, account, root: None, above })
    }

    pub(super) async fn next(&mut self) -> Result<Option<Node>> {
        let mut next = self.root.take();
        while next.is_none()
            && let Some(siblings) = self.above.last_mut()
        {
            next = siblings.next(self.store, self.account).await?;
            if next.is_none() {
                self.above.pop();
            }
        }
        if let Some(node) = next.as_ref().filter(|node| node.child_count > 0) {
            self.above.push(Siblings::all(node.urn.clone()));
        }
        Ok(next)
    }
}
