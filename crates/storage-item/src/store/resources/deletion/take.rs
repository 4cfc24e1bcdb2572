//! Taking a resource with every link to it, which may exceed one transaction.

use larder_domain::{Resource, UniqueKey, UniqueKeys};
use larder_storage::{Result, StorageError};

use super::{
    batch,
    cascade::{Descent, Open, Seen},
    links::Link,
    node::Node,
};
use crate::{
    RecordEngine, Table,
    layout::relational::{keys, resource, unique_key::UniqueKeyValue},
};

impl<E: RecordEngine> Descent<'_, E> {
    /// Adds a resource to the batch; links that do not fit are deleted before.
    pub(super) async fn take(&mut self, mut node: Node) -> Result<Seen> {
        loop {
            let links = self.links(&node).await?;
            let cost = batch::cost(&node, &links);
            let all_are_known = links.len() as u64 == node.link_count;
            if all_are_known && self.batch.len() + cost <= self.room {
                if let Some(parent) =
                    self.above.iter().rev().take(2).find(|open| is_parent(open, &node))
                {
                    self.batch.rely_on(parent.urn().clone(), parent.created_at);
                }
                self.batch.take(node, links);
                return Ok(Seen::Current);
            }
            let seen = if !self.batch.is_empty() {
                self.flush().await?
            } else if batch::cost(&node, &[]) > self.room {
                self.shed_unique_keys(&node).await?
            } else if cost > self.room {
                self.shed_links(links).await?
            } else {
                // An index lags, or it was linked or unlinked since it was read.
                self.stall()?;
                Seen::Current
            };
            if seen == Seen::Stale {
                return Ok(Seen::Stale);
            }
            let current = self.store.doomed_node(self.account(), &node.urn).await?;
            let is_as_read = |current: &Node| {
                current.created_at == node.created_at
                    && current.parent == node.parent
                    && current.child_count == self.batch.children_of(&node.urn)
            };
            let Some(current) = current.filter(is_as_read) else {
                self.look_again()?;
                return Ok(Seen::Stale);
            };
            node = current;
        }
    }

    async fn links(&self, node: &Node) -> Result<Vec<Link>> {
        if node.link_count == 0 {
            return Ok(Vec::new());
        }
        self.store.links_naming(self.account(), &node.urn, self.room).await
    }

    /// Deletes some links of a resource that has more than go with it. The batch is empty.
    async fn shed_links(&mut self, links: Vec<Link>) -> Result<Seen> {
        // The resource itself, and of each link the record and its other end.
        let at_once = ((self.room - 1) / 2).max(1);
        for link in links.into_iter().take(at_once) {
            self.batch.unlink(link);
        }
        self.flush().await
    }

    /// Releases some unique values of a resource that has too many for one transaction. The batch
    /// is empty.
    async fn shed_unique_keys(&mut self, node: &Node) -> Result<Seen> {
        let record = self.store.engine.get(Table::Relational, &keys::resource(&node.urn)).await?;
        let Some(record) = record else { return Ok(Seen::Current) };
        let current = resource::from_record(&record)?;
        let held: Vec<UniqueKey> = current.resource.unique_keys.iter().cloned().collect();
        let (shed, kept) = held.split_at(held.len().min(self.room - 1));
        let kept = UniqueKeys::new(kept.to_vec())
            .map_err(|error| StorageError::Defect(format!("unique keys {error}")))?;
        let smaller = Resource {
            unique_keys: kept,
            version: current.resource.version + 1,
            updated_at: self.at,
            ..current.resource.clone()
        };
        let mut actions = vec![resource::replace(&current, &smaller)];
        actions.extend(shed.iter().map(|key| {
            let unique = UniqueKeyValue::of_resource(node.urn.resource_type(), key);
            unique.release(node.urn.as_str())
        }));
        self.commit(actions).await
    }
}

fn is_parent(open: &Open, node: &Node) -> bool {
    Some(open.urn()) == node.parent.as_ref()
}
