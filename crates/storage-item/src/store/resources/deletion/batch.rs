//! One transaction of a deletion. It touches each record once: a link shared by several deleted
//! resources is deleted once, and the counts of remaining resources fall by the sum.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use larder_domain::Urn;

use super::{links::Link, node::Node};
use crate::{
    Action, Change, Condition, Number, Table,
    layout::{
        self,
        fields::{count_number, timestamp_text},
        relational::{CREATED_AT, keys, resource, unique_key::UniqueKeyValue},
    },
};

/// By how much the counts of a resource fall.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Fall {
    children: u64,
    links: u64,
}

/// Resources and links that go together.
#[derive(Debug)]
pub(super) struct Batch {
    removed: BTreeMap<Urn, Node>,
    links: BTreeSet<Link>,
    /// Of every resource that something in here names, deleted or not.
    falls: BTreeMap<Urn, Fall>,
    /// The creation times of remaining resources that the batch depends on.
    relied_on: BTreeMap<Urn, Timestamp>,
}

/// The most actions that a resource with these links adds to a batch.
pub(super) fn cost(node: &Node, links: &[Link]) -> usize {
    let with_parent = if node.parent.is_some() { 2 } else { 0 };
    let linked: usize = links.iter().map(|link| link.ends().count()).sum();
    1 + with_parent + usize::from(node.photo.is_some()) + node.unique_keys.len() + linked
}

impl Batch {
    pub(super) const fn new() -> Self {
        Self {
            removed: BTreeMap::new(),
            links: BTreeSet::new(),
            falls: BTreeMap::new(),
            relied_on: BTreeMap::new(),
        }
    }

    /// Takes a resource with all links to it.
    pub(super) fn take(&mut self, node: Node, links: Vec<Link>) {
        if let Some(parent) = &node.parent {
            self.falls.entry(parent.clone()).or_default().children += 1;
        }
        for link in links {
            self.unlink(link);
        }
        self.removed.insert(node.urn.clone(), node);
    }

    /// Takes only a link; one that is already taken counts once.
    pub(super) fn unlink(&mut self, link: Link) {
        if self.links.contains(&link) {
            return;
        }
        for end in link.ends() {
            self.falls.entry(end.clone()).or_default().links += 1;
        }
        self.links.insert(link);
    }

    /// Takes the children of this resource only if it still has this creation time.
    pub(super) fn rely_on(&mut self, urn: Urn, created_at: Timestamp) {
        self.relied_on.insert(urn, created_at);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.links.is_empty()
    }

    /// Whether it takes this resource.
    pub(super) fn takes(&self, urn: &Urn) -> bool {
        self.removed.contains_key(urn)
    }

    /// The number of resources it takes.
    pub(super) fn resources(&self) -> u64 {
        self.removed.len() as u64
    }

    /// The number of a resource's children that it takes.
    pub(super) fn children_of(&self, parent: &Urn) -> u64 {
        self.fall_of(parent).children
    }

    /// How many actions it is.
    pub(super) fn len(&self) -> usize {
        let of_nodes = self.removed.values().map(|node| {
            let others = [node.parent.is_some(), node.photo.is_some()];
            1 + others.map(usize::from).iter().sum::<usize>() + node.unique_keys.len()
        });
        of_nodes.sum::<usize>() + self.links.len() + self.staying().count()
    }

    /// Whether every link to its resources, according to their counts, is in here too.
    pub(super) fn is_whole(&self) -> bool {
        self.removed.iter().all(|(urn, node)| {
            self.fall_of(urn) == Fall { children: node.child_count, links: node.link_count }
        })
    }

    /// Its actions, on the conditions that each resource is as it was read, and has no links
    /// outside the batch.
    pub(super) fn actions(&self, account: &Urn) -> Vec<Action> {
        let mut actions = Vec::with_capacity(self.len());
        for node in self.removed.values() {
            actions.push(self.removal(node, account));
            if let Some(parent) = &node.parent {
                let key = keys::parent_child(parent, &node.urn);
                actions.push(delete(Table::Relational, key));
            }
            if node.photo.is_some() {
                let key = layout::keys::resource_photo(&node.urn);
                actions.push(delete(Table::InventoryManagement, key));
            }
            actions.extend(node.unique_keys.iter().map(|key| {
                let unique = UniqueKeyValue::of_resource(node.urn.resource_type(), key);
                unique.release(node.urn.as_str())
            }));
        }
        actions.extend(self.links.iter().map(|link| {
            let (table, key) = link.target();
            delete(table, key)
        }));
        actions.extend(self.staying().map(|(urn, fall)| {
            let made_then = self.relied_on.get(urn).map(|created_at| was_made(*created_at));
            let when = std::iter::once(resource::is_of(account)).chain(made_then);
            resource::update(urn, when.collect(), fall.to_changes())
        }));
        actions
    }

    fn removal(&self, node: &Node, account: &Urn) -> Action {
        let Fall { children, links } = self.fall_of(&node.urn);
        let count =
            |name: &'static str, n: u64| Condition::Equals(name.into(), count_number(n).into());
        let when = vec![
            resource::is_of(account),
            was_made(node.created_at),
            count(resource::VERSION, node.version),
            count(resource::CHILD_COUNT, children),
            count(resource::LINK_COUNT, links),
            resource::has_photo(node.photo),
        ];
        Action::Delete { table: Table::Relational, key: keys::resource(&node.urn), when }
    }

    fn fall_of(&self, urn: &Urn) -> Fall {
        self.falls.get(urn).copied().unwrap_or_default()
    }

    /// The remaining resources, and by how much their counts fall.
    fn staying(&self) -> impl Iterator<Item = (&Urn, &Fall)> {
        self.falls.iter().filter(|(urn, _)| !self.takes(urn))
    }
}

impl Fall {
    fn to_changes(self) -> Vec<Change> {
        let falls = [(resource::CHILD_COUNT, self.children), (resource::LINK_COUNT, self.links)];
        let fall = |by: u64| Number::from(-i64::try_from(by).unwrap_or(i64::MAX));
        let falls = falls.into_iter().filter(|(_, by)| *by > 0);
        falls.map(|(name, by)| Change::Add(name.into(), fall(by))).collect()
    }
}

/// That a resource is the one that was made then, and not another that has its name since.
fn was_made(at: Timestamp) -> Condition {
    Condition::Equals(CREATED_AT.into(), timestamp_text(at).into())
}

fn delete(table: Table, key: crate::Key) -> Action {
    Action::Delete { table, key, when: vec![Condition::Exists] }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
