//! No resource is its own ancestor, even with concurrent moves.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{ParentChildRelationship, Resource, Urn};
use larder_storage::{AccountScope, AttachResource, Result, StorageError};

use crate::StoreHarness;

/// How often two clients try at the same moment.
const ROUNDS: usize = 500;

pub async fn p53_cycles_of_length_2_and_50_are_refused(h: &StoreHarness) {
    let scope = h.account();
    let chain = h.chain(&scope, 50).await;
    for below in [1, 2, 49] {
        let answer = h.attach(&scope, &chain[below].urn, &chain[0].urn).await;
        assert_eq!(answer, AttachResource::Cycle, "{below}");
        let answer = h.attach(&scope, &chain[below].urn, &chain[below - 1].urn).await;
        assert_eq!(answer, AttachResource::Cycle, "{below}");
    }
    for resource in &chain {
        assert_eq!(h.resource(&scope, &resource.urn).await.as_ref(), Some(resource));
    }
    // Once separated, the upper half may be moved below the lower.
    h.detach(&scope, &chain[25].urn).await.unwrap();
    let answer = h.attach(&scope, &chain[49].urn, &chain[0].urn).await;
    assert!(matches!(answer, AttachResource::Attached(_)), "{answer:?}");
    assert_eq!(h.ancestors(&scope, &chain[24].urn, 100).await.unwrap().len(), 49);
    assert_eq!(h.attach(&scope, &chain[24].urn, &chain[25].urn).await, AttachResource::Cycle);
}

/// Concurrent moves, each by its own client. A move that fails because of contention may say so.
async fn at_once(
    h: &StoreHarness,
    scope: &AccountScope,
    moves: &[(&Urn, &Urn)],
) -> Vec<Result<AttachResource>> {
    let write = h.write();
    let tasks = moves.iter().map(|(parent, child)| {
        let (store, scope) = (Arc::clone(h.store()), scope.clone());
        let link = ParentChildRelationship::new((*parent).clone(), (*child).clone()).unwrap();
        tokio::spawn(async move { store.attach_resource(&scope, &link, write).await })
    });
    join_all(tasks).await.into_iter().map(|task| task.expect("no client panics")).collect()
}

/// The answers match some serial order: at least one succeeds, and the one that would close the
/// ring does not.
fn check_answers(answers: &[Result<AttachResource>], round: usize) -> usize {
    let mut attached = 0;
    for answer in answers {
        match answer {
            Ok(AttachResource::Attached(_)) => attached += 1,
            Ok(AttachResource::Cycle) | Err(StorageError::Contention(_)) => {}
            other => panic!("round {round}: {other:?}"),
        }
    }
    assert!((1..answers.len()).contains(&attached), "round {round}: {answers:?}");
    attached
}

/// Every path upwards ends, and there are as many links as successes.
async fn check_tree(h: &StoreHarness, scope: &AccountScope, nodes: &[Resource], links: usize) {
    let mut found = 0;
    for node in nodes {
        let mut at = h.resource(scope, &node.urn).await.unwrap();
        found += usize::from(at.parent.is_some());
        let mut steps = 0;
        while let Some(parent) = &at.parent {
            steps += 1;
            assert!(steps <= nodes.len(), "{} is above itself", node.urn);
            at = h.resource(scope, parent).await.expect("a parent is there");
        }
        let below = h.children(scope, &node.urn, 10).await.unwrap();
        assert!(below.iter().all(|child| child.parent.as_ref() == Some(&node.urn)));
    }
    assert_eq!(found, links);
}

/// Moves them into a ring concurrently, repeatedly.
async fn move_in_a_ring(h: &StoreHarness, count: usize, rounds: usize) {
    let scope = h.account();
    let mut nodes = Vec::new();
    for _ in 0..count {
        nodes.push(h.made(&scope, None).await);
    }
    for round in 0..rounds {
        let moves: Vec<_> =
            (0..count).map(|n| (&nodes[(n + 1) % count].urn, &nodes[n].urn)).collect();
        let answers = at_once(h, &scope, &moves).await;
        let attached = check_answers(&answers, round);
        check_tree(h, &scope, &nodes, attached).await;
        for node in &nodes {
            h.detach(&scope, &node.urn).await.unwrap();
        }
    }
}

pub async fn p53_two_that_are_moved_under_each_other_at_once_never_close_a_cycle(h: &StoreHarness) {
    move_in_a_ring(h, 2, h.rounds(ROUNDS)).await;
}

pub async fn p53_three_that_are_moved_in_a_ring_at_once_never_close_it(h: &StoreHarness) {
    move_in_a_ring(h, 3, h.rounds(ROUNDS) / 2).await;
}
