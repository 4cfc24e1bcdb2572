//! A resource is deleted with its subtree and everything that refers to it, and nothing else.

use jiff::SignedDuration;
use larder_domain::{GrantFilter, Resource, UniqueKeys, Urn};
use larder_storage::{AccountScope, CreateResource, DeleteResource};

use crate::StoreHarness;
use crate::store_harness::unique;

/// More than fit into one transaction of any record engine.
pub(super) const MANY: usize = 120;

/// A tree in which every resource has a unique value, belongs to a collection outside, has a member
/// outside, and has a grant.
pub(super) struct Tree {
    pub(super) scope: AccountScope,
    pub(super) nodes: Vec<Resource>,
    outside: [Resource; 2],
    principal: Urn,
    mark: String,
}

impl Tree {
    /// A tree of this many resources, with this many children each until all are used.
    pub(super) async fn planted(h: &StoreHarness, count: usize, children: usize) -> Self {
        let (scope, mark, principal) = (h.account(), h.mark(), h.principal());
        let outside = [h.made(&scope, None).await, h.made(&scope, None).await];
        let mut nodes: Vec<Resource> = Vec::new();
        for n in 0..count {
            let parent = n.checked_sub(1).map(|n| nodes[n / children].urn.clone());
            let keys = vec![unique("serial", &format!("{mark}-{n}"), n % 2 == 0)];
            let unique_keys = UniqueKeys::new(keys).unwrap();
            let node = Resource { parent, unique_keys, ..h.plain(&scope, h.urn()) };
            assert_eq!(h.create(&scope, &node).await, CreateResource::Created);
            h.put_into(&scope, &outside[0].urn, &node.urn, n % 3 == 0).await;
            h.put_into(&scope, &node.urn, &outside[1].urn, n % 3 == 1).await;
            h.grant(&scope, &principal, &node.urn, &["read"]).await;
            nodes.push(node);
        }
        // Mutual membership is deleted with either end, once.
        if let [first, .., last] = &nodes[..] {
            h.put_into(&scope, &first.urn, &last.urn, true).await;
        }
        Self { scope, nodes, outside, principal, mark }
    }

    pub(super) fn root(&self) -> &Urn {
        &self.nodes[0].urn
    }

    /// Checks that nothing of it is left, and that resources outside are unchanged and free.
    pub(super) async fn check_gone(&self, h: &StoreHarness) {
        let Self { scope, nodes, outside, principal, mark } = self;
        for node in nodes {
            assert_eq!(h.resource(scope, &node.urn).await, None);
            assert_eq!(h.children(scope, &node.urn, 5).await, None);
            assert_eq!(h.members(scope, &node.urn, 5).await, None);
            assert_eq!(h.store().find_grant(scope, principal, &node.urn).await.unwrap(), None);
        }
        assert_eq!(h.members(scope, &outside[0].urn, 50).await, Some(vec![]));
        h.eventually(&Some(vec![]), async || h.collections(scope, &outside[1].urn, 50).await).await;
        h.eventually(&vec![], async || h.grants(scope, &GrantFilter::All, 50).await).await;
        let expected = outside.to_vec();
        h.eventually(&expected, async || h.resources(scope, 50).await).await;
        // Every value is free again, and every name.
        for n in [0, nodes.len() - 1] {
            let keys = vec![unique("serial", &format!("{mark}-{n}"), false)];
            let again =
                Resource { unique_keys: UniqueKeys::new(keys).unwrap(), ..nodes[n].clone() };
            let again = Resource { parent: None, ..again };
            assert_eq!(h.create(scope, &again).await, CreateResource::Created);
            assert_eq!(h.delete_to_its_end(scope, &again.urn).await, Some(1));
        }
        for outside in outside {
            assert_eq!(h.resource(scope, &outside.urn).await.as_ref(), Some(outside));
            assert_eq!(h.delete_to_its_end(scope, &outside.urn).await, Some(1), "it is free");
        }
    }
}

pub async fn p57_a_resource_goes_with_all_that_names_it(h: &StoreHarness) {
    let tree = Tree::planted(h, 1, 1).await;
    assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, Some(1));
    assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, None, "it is answered once");
    tree.check_gone(h).await;
}

pub async fn p57_what_fits_is_gone_in_one_transaction(h: &StoreHarness) {
    let scope = h.account();
    let chain = h.chain(&scope, 3).await;
    let answer = h.begin_to_delete(&scope, &chain[1].urn, h.deletion_id()).await;
    assert_eq!(answer, DeleteResource::Deleted(2));
    let [kept, gone @ ..] = &chain[..] else { unreachable!("there are three") };
    assert_eq!(h.resource(&scope, &kept.urn).await.as_ref(), Some(kept));
    assert_eq!(h.children(&scope, &kept.urn, 5).await, Some(vec![]));
    for gone in gone {
        assert_eq!(h.resource(&scope, &gone.urn).await, None);
    }
    let id = h.deletion_id();
    let nobody = h.begin_to_delete(&scope, &h.urn(), id).await;
    assert_eq!(nobody, DeleteResource::NotFound);
    assert_eq!(h.store().find_deletion(&scope, id).await.unwrap(), None);
}

pub async fn p57_a_wide_tree_is_deleted_to_its_end(h: &StoreHarness) {
    let tree = Tree::planted(h, 40, 13).await;
    assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, Some(40));
    tree.check_gone(h).await;
}

pub async fn p57_a_deep_tree_is_deleted_to_its_end(h: &StoreHarness) {
    let tree = Tree::planted(h, 30, 1).await;
    assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, Some(30));
    tree.check_gone(h).await;
}

pub async fn p57_a_part_of_a_tree_is_deleted_and_the_rest_stays(h: &StoreHarness) {
    let tree = Tree::planted(h, 7, 2).await;
    assert_eq!(h.delete_to_its_end(&tree.scope, &tree.nodes[2].urn).await, Some(3));
    for (n, node) in tree.nodes.iter().enumerate() {
        let is_there = h.resource(&tree.scope, &node.urn).await;
        assert_eq!(is_there.as_ref(), (![2, 5, 6].contains(&n)).then_some(node), "{n}");
    }
    let left = h.children(&tree.scope, tree.root(), 5).await.unwrap();
    assert_eq!(left, [tree.nodes[1].clone()]);
    assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, Some(4));
    tree.check_gone(h).await;
}

pub async fn p57_a_large_tree_can_be_followed_while_it_goes(h: &StoreHarness) {
    let scope = h.account();
    let root = h.made(&scope, None).await;
    for _ in 0..MANY {
        h.made(&scope, Some(&root.urn)).await;
    }
    let id = h.deletion_id();
    let begun = h.begin_to_delete(&scope, &root.urn, id).await;
    let total = u64::try_from(MANY + 1).unwrap();
    let mut deletion = match begun {
        DeleteResource::Begun(deletion) => deletion,
        DeleteResource::Deleted(count) => {
            // A store that deletes it at once has no job to follow.
            assert_eq!(count, total);
            assert_eq!(h.resource(&scope, &root.urn).await, None);
            return;
        }
        DeleteResource::NotFound => panic!("it is there"),
    };
    assert_eq!((deletion.id, &deletion.root, &deletion.account), (id, &root.urn, scope.account()));
    assert_eq!(deletion.started_at, h.now());
    // Resources added meanwhile are deleted too.
    h.made(&scope, Some(&root.urn)).await;
    while deletion.finished_at.is_none() {
        let at = h.write().at;
        let next = h.patiently(async || h.store().continue_deletion(&deletion, at).await).await;
        // Other tests that share the store may continue it too.
        let kept = h.store().find_deletion(&scope, id).await.unwrap().expect("it is remembered");
        assert!(kept.removed >= next.removed, "{kept:?} {next:?}");
        assert!(next.removed >= deletion.removed && next.removed <= total + 1);
        deletion = next;
    }
    assert_eq!(deletion.removed, total + 1);
    assert!(deletion.total.is_some_and(|counted| (total..=total + 1).contains(&counted)));
    assert_eq!(h.resource(&scope, &root.urn).await, None);
    let finished = deletion.finished_at.unwrap();
    assert_eq!(h.store().find_deletion(&scope, id).await.unwrap(), Some(deletion.clone()));
    let again = h.store().continue_deletion(&deletion, h.write().at).await.unwrap();
    assert_eq!(again, deletion, "what is done stays done");
    h.advance_to(finished + SignedDuration::from_hours(24), SignedDuration::from_secs(2));
    assert!(h.store().find_deletion(&scope, id).await.unwrap().is_some());
    h.advance_seconds(3);
    assert_eq!(h.store().find_deletion(&scope, id).await.unwrap(), None);
}
