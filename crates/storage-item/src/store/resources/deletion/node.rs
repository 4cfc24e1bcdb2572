//! The parts of a resource that a deletion reads.

use jiff::Timestamp;
use larder_domain::{Doomed, PhotoId, Resource, UniqueKeys, Urn};
use larder_storage::Result;

use crate::{
    Key, MAX_ACTIONS, Position, Query, Record, RecordEngine, Table,
    layout::relational::{keys, parent_child, resource},
    store::ItemStore,
};

/// The data for deleting a resource, without its attributes: many are in memory at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) urn: Urn,
    pub(super) parent: Option<Urn>,
    pub(super) version: u64,
    pub(super) created_at: Timestamp,
    pub(super) unique_keys: UniqueKeys,
    pub(super) child_count: u64,
    pub(super) link_count: u64,
    pub(super) photo: Option<PhotoId>,
}

impl Node {
    pub(super) fn into_doomed(self) -> Doomed {
        let Self { urn, parent, unique_keys, link_count: links, .. } = self;
        Doomed { urn, parent, unique_keys, links }
    }
}

/// A resource of this account; `None` for another account's.
fn node_of(account: &Urn, record: &Record) -> Result<Option<Node>> {
    let counted = resource::from_record(record)?;
    let Resource { urn, parent, version, created_at, unique_keys, account: whose, .. } =
        counted.resource;
    let (child_count, link_count, photo) = (counted.child_count, counted.link_count, counted.photo);
    let node =
        Node { urn, parent, version, created_at, unique_keys, child_count, link_count, photo };
    Ok((whose == *account).then_some(node))
}

impl<E: RecordEngine> ItemStore<E> {
    /// A resource of the account as the last write left it.
    pub(super) async fn doomed_node(&self, account: &Urn, urn: &Urn) -> Result<Option<Node>> {
        let record = self.engine.get(Table::Relational, &keys::resource(urn)).await?;
        Ok(record.as_ref().map(|record| node_of(account, record)).transpose()?.flatten())
    }

    /// Some children of a resource, in order of their URNs, and where to continue; `None` after the
    /// last.
    pub(super) async fn doomed_children(
        &self,
        account: &Urn,
        parent: &Urn,
        after: Option<&Urn>,
    ) -> Result<(Vec<Node>, Option<Urn>)> {
        let (pk, prefix) = (keys::parent_pk(parent), keys::CHILD_PREFIX);
        let query = Query {
            start_after: after.map(|after| Position::in_table(keys::parent_child(parent, after))),
            ..Query::under(Table::Relational, pk, prefix, MAX_ACTIONS)
        };
        let page = self.engine.query(&query).await?;
        let links = page.records.iter().map(parent_child::from_record);
        let children: Vec<Urn> =
            links.map(|link| Ok(link?.link.child().clone())).collect::<Result<_>>()?;
        let of: Vec<Key> = children.iter().map(keys::resource).collect();
        let mut nodes = Vec::with_capacity(children.len());
        for record in self.engine.get_many(Table::Relational, &of).await?.iter().flatten() {
            // One that was moved between the two reads is no longer a child.
            let node = node_of(account, record)?;
            nodes.extend(node.filter(|node| node.parent.as_ref() == Some(parent)));
        }
        let next = page.next.and_then(|_| children.last().cloned());
        Ok((nodes, next))
    }
}
