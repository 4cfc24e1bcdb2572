use std::collections::HashMap;

use larder_domain::{
    AccessAction, Attributes, CollectionMemberRelationship, Grant, GrantedActions, HouseholdId,
    ParentChildRelationship, PhotoId, PropertyName, Resource, SchemaVersion, UniqueKey, UniqueKeys,
    UniqueValue, UserId,
};
use larder_storage::Photo;
use proptest::prelude::*;

use super::*;
use crate::{
    Key, Record, Transaction,
    layout::relational::{collection_member, grant, parent_child, resource::Counted},
};

fn urn(n: usize) -> Urn {
    format!("urn:pp:Home.Box::00000000-0000-0000-0000-{n:012}").parse().unwrap()
}

fn account() -> Urn {
    Urn::of_household(HouseholdId::fixed(1))
}

fn principal(n: usize) -> Urn {
    Urn::of_user(UserId::fixed(n as u128))
}

fn photo() -> Photo {
    let id = PhotoId::from_sha256(&[7; 32]);
    Photo { id, full: vec![1], thumbnail: vec![2] }
}

/// A forest with links, as numbers: the parent of each, pairs of collection and member, pairs of principal and resource.
#[derive(Debug, Clone)]
struct Plan {
    parents: Vec<Option<usize>>,
    members: BTreeSet<(usize, usize)>,
    grants: BTreeSet<(usize, usize)>,
}

impl Plan {
    fn links_of(&self, n: usize) -> Vec<Link> {
        let members =
            self.members.iter().filter(|(collection, member)| [*collection, *member].contains(&n));
        let members = members.map(|(collection, member)| Link::Membership {
            collection: urn(*collection),
            member: urn(*member),
        });
        let grants = self.grants.iter().filter(|(_, on)| *on == n);
        let grants = grants.map(|(to, on)| Link::Grant { principal: principal(*to), on: urn(*on) });
        members.chain(grants).collect()
    }

    fn node(&self, n: usize) -> Node {
        let unique_keys = UniqueKeys::new(vec![UniqueKey {
            property: PropertyName::parse("serial").unwrap(),
            value: UniqueValue::parse(&n.to_string()).unwrap(),
            case_insensitive: false,
        }]);
        Node {
            urn: urn(n),
            parent: self.parents[n].map(urn),
            version: 1,
            created_at: Timestamp::UNIX_EPOCH,
            unique_keys: unique_keys.unwrap(),
            child_count: self.parents.iter().filter(|parent| **parent == Some(n)).count() as u64,
            link_count: self.links_of(n).len() as u64,
            photo: n.is_multiple_of(2).then(|| photo().id),
        }
    }

    /// The subtree of a resource, leaves first.
    fn subtree(&self, root: usize) -> Vec<usize> {
        let children = (0..self.parents.len()).filter(|n| self.parents[*n] == Some(root));
        children.flat_map(|child| self.subtree(child)).chain([root]).collect()
    }

    fn records(&self) -> World {
        let relational = |record: Record| (Table::Relational, record);
        let at = Timestamp::UNIX_EPOCH;
        let mut records = Vec::new();
        for n in 0..self.parents.len() {
            let Node { urn, parent, unique_keys, child_count, link_count, photo: shown, .. } =
                self.node(n);
            for key in &unique_keys {
                let unique = UniqueKeyValue::of_resource(urn.resource_type(), key);
                let Action::Put { record, .. } = unique.take(urn.as_str(), at) else { panic!() };
                records.push(relational(record));
            }
            if let Some(parent) = &parent {
                let link = ParentChildRelationship::new(parent.clone(), urn.clone()).unwrap();
                let link = parent_child::Parentage { link, account: account(), created_at: at };
                records.push(relational(parent_child::to_record(&link)));
            }
            if shown.is_some() {
                let record = layout::photo::of_resource(&account(), &urn, &photo(), at);
                records.push((Table::InventoryManagement, record));
            }
            let resource = Resource {
                urn,
                account: account(),
                parent,
                schema_version: SchemaVersion::FIRST,
                version: 1,
                unique_keys,
                attributes: Attributes::default(),
                created_at: at,
                updated_at: at,
            };
            let counted = Counted { resource, child_count, link_count, photo: shown };
            records.push(relational(resource::to_record(&counted)));
        }
        for (collection, member) in &self.members {
            let link = CollectionMemberRelationship::new(urn(*collection), urn(*member), false);
            let link = link.unwrap();
            let membership =
                collection_member::Membership { link, account: account(), created_at: at };
            records.push(relational(collection_member::to_record(&membership)));
        }
        for (to, on) in &self.grants {
            let actions = GrantedActions::new([AccessAction::any()]).unwrap();
            let (principal, on, account) = (principal(*to), urn(*on), account());
            let held = Grant { principal, on, account, actions, created_at: at, updated_at: at };
            records.push((Table::Grants, grant::to_record(&held)));
        }
        let keyed =
            |(table, record): (Table, Record)| ((table, table.key_of(&record).unwrap()), record);
        World(records.into_iter().map(keyed).collect())
    }

    /// The world without these resources.
    fn without(&self, gone: &[usize]) -> World {
        let is_left = |n: usize| !gone.contains(&n);
        let both = |(one, other): &(usize, usize)| is_left(*one) && is_left(*other);
        let left = Self {
            parents: self.parents.clone(),
            members: self.members.iter().copied().filter(both).collect(),
            grants: self.grants.iter().copied().filter(|(_, on)| is_left(*on)).collect(),
        };
        let mut records = left.records();
        for n in gone {
            let mut batch = Batch::new();
            batch.take(left.node(*n), vec![]);
            for action in batch.actions(&account()) {
                let target = action.target().unwrap();
                match action {
                    Action::Delete { .. } => drop(records.0.remove(&target)),
                    Action::Update { changes, .. } => {
                        if let Some(parent) = records.0.get_mut(&target) {
                            for change in changes {
                                change.apply(parent).unwrap();
                            }
                        }
                    }
                    _ => panic!("{action:?}"),
                }
            }
        }
        records
    }
}

#[derive(Debug, Clone, PartialEq)]
struct World(HashMap<(Table, Key), Record>);

impl World {
    /// Commits a batch, as an engine would.
    fn commit(&mut self, batch: &Batch) {
        let actions = batch.actions(&account());
        assert_eq!(actions.len(), batch.len());
        let transaction =
            Transaction { actor: "test".to_owned(), at: Timestamp::UNIX_EPOCH, actions };
        transaction.validate().unwrap();
        let targets: Vec<_> =
            transaction.actions.iter().map(|action| action.target().unwrap()).collect();
        for (action, target) in transaction.actions.iter().zip(&targets) {
            let current = self.0.get(target);
            let failed = action.conditions().iter().find(|condition| !condition.holds(current));
            assert_eq!(failed, None, "of {action:?} on {current:?}");
        }
        let images = transaction.images(|at| self.0.get(&targets[at])).unwrap();
        for (target, image) in targets.into_iter().zip(images) {
            match image {
                Some(record) => drop(self.0.insert(target, record)),
                None => drop(self.0.remove(&target)),
            }
        }
    }
}

/// Twelve resources at most, each below an earlier one or none: the links and keys of all fit into
/// one transaction.
fn plans() -> impl Strategy<Value = Plan> {
    (1_usize..=12).prop_flat_map(|count| {
        let parents = prop::collection::vec(any::<Option<prop::sample::Index>>(), count);
        let members = prop::collection::btree_set((0..count, 0..count), 0..12);
        let grants = prop::collection::btree_set((0..3_usize, 0..count), 0..8);
        (parents, members, grants).prop_map(|(parents, members, grants)| Plan {
            parents: (0..)
                .zip(parents)
                .map(|(n, parent)| (n > 0).then_some(()).and(parent).map(|parent| parent.index(n)))
                .collect(),
            members: members.into_iter().filter(|(one, other)| one != other).collect(),
            grants,
        })
    })
}

proptest! {
    #[test]
    fn a_tree_that_goes_at_once_leaves_exactly_what_does_not_name_it(
        plan in plans(), root in any::<prop::sample::Index>(),
    ) {
        let gone = plan.subtree(root.index(plan.parents.len()));
        let mut batch = Batch::new();
        for n in &gone {
            let (node, links) = (plan.node(*n), plan.links_of(*n));
            let bound = batch.len() + cost(&node, &links);
            batch.take(node, links);
            prop_assert!(batch.len() <= bound);
        }
        prop_assert!(batch.is_whole());
        prop_assert_eq!(batch.resources(), gone.len() as u64);
        let mut world = plan.records();
        world.commit(&batch);
        prop_assert_eq!(world, plan.without(&gone));
    }

    #[test]
    fn leaf_by_leaf_every_batch_leaves_a_smaller_tree_in_which_all_counts_are_right(
        plan in plans(), sizes in prop::collection::vec(1_usize..4, 12),
    ) {
        let roots = (0..plan.parents.len()).filter(|n| plan.parents[*n].is_none());
        let order: Vec<usize> = roots.flat_map(|root| plan.subtree(root)).collect();
        let (mut world, mut gone) = (plan.records(), Vec::new());
        let mut left = order.as_slice();
        for size in sizes {
            let (taken, rest) = left.split_at(size.min(left.len()));
            left = rest;
            let mut batch = Batch::new();
            for n in taken {
                let earlier = |link: &Link| link.ends().any(|end| gone.iter().any(|n| urn(*n) == *end));
                let links = plan.links_of(*n).into_iter().filter(|link| !earlier(link)).collect();
                batch.take(plan.node(*n), links);
            }
            world.commit(&batch);
            gone.extend(taken);
            prop_assert_eq!(&world, &plan.without(&gone));
        }
    }

    #[test]
    fn links_that_go_alone_leave_their_ends_and_count_there(plan in plans()) {
        let mut batch = Batch::new();
        let all: Vec<Link> = (0..plan.parents.len()).flat_map(|n| plan.links_of(n)).collect();
        for link in all {
            batch.unlink(link);
        }
        let mut world = plan.records();
        world.commit(&batch);
        let bare = Plan { members: BTreeSet::new(), grants: BTreeSet::new(), ..plan };
        prop_assert_eq!(world, bare.records());
    }
}

#[test]
fn a_batch_that_lacks_a_link_or_a_child_is_not_whole() {
    let plan = Plan {
        parents: vec![None, Some(0)],
        members: BTreeSet::from([(0, 1)]),
        grants: BTreeSet::new(),
    };
    let mut batch = Batch::new();
    batch.take(plan.node(0), vec![]);
    assert!(!batch.is_whole(), "neither the child nor the membership is in it");
    batch.take(plan.node(1), vec![]);
    assert!(!batch.is_whole(), "the membership is not in it");
    batch.unlink(plan.links_of(0).remove(0));
    assert!(batch.is_whole());
    // Two resources with a unique value each, the photo of one, their link, the membership.
    assert_eq!(batch.len(), 7);
}
