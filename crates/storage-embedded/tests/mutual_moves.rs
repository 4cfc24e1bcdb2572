//! Two writers that move two resources under each other.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::sync::Arc;

use common::Bed;
use common::things::{Beneath, resource, scope, urn, write};
use larder_domain::{ParentChildRelationship, Urn};
use larder_storage::{AttachResource, CreateResource, Resources};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::ItemStore;

type Store = Arc<ItemStore<EmbeddedEngine>>;

async fn attach(store: Store, parent: Urn, child: Urn) -> AttachResource {
    let link = ParentChildRelationship::new(parent, child).unwrap();
    store.attach_resource(&scope(1), &link, write()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_moves_that_would_close_a_cycle_one_happens_and_the_other_is_refused() {
    let bed = Bed::new();
    let store: Store = Arc::new(ItemStore::new(bed.engine.clone(), bed.clock.clone()));
    let (scope, [root, one, two]) = (scope(1), [0, 1, 2].map(|n| urn("Home.Box", n)));
    for (made, parent) in [(&root, None), (&one, Some(&root)), (&two, Some(&root))] {
        let made = resource(&scope, made.clone(), parent);
        let created = store.create_resource(&scope, &made, write()).await.unwrap();
        assert_eq!(created, CreateResource::Created);
    }
    let mut won = [0, 0];
    for round in 0..500 {
        let moves = [(&one, &two), (&two, &one)].map(|(parent, child)| {
            tokio::spawn(attach(store.clone(), parent.clone(), child.clone()))
        });
        let [first, second] = moves;
        let answers = [first.await.unwrap(), second.await.unwrap()];
        let winner =
            answers.iter().position(|answer| matches!(answer, AttachResource::Attached(_)));
        let winner = winner.unwrap_or_else(|| panic!("round {round}: nobody won"));
        assert_eq!(answers[1 - winner], AttachResource::Cycle, "round {round}");
        won[winner] += 1;
        let [inner, outer] = if winner == 0 { [&two, &one] } else { [&one, &two] };
        let above = store.list_ancestors(&scope, inner, None, 10).await.unwrap().unwrap();
        let above: Vec<&Urn> = above.items.iter().map(|ancestor| &ancestor.urn).collect();
        assert_eq!(above, [outer, &root], "round {round}");
        // Restore the original positions.
        let back = attach(store.clone(), root.clone(), inner.clone()).await;
        assert!(matches!(back, AttachResource::Attached(_)), "round {round}: {back:?}");
    }
    assert_eq!(won.iter().sum::<u32>(), 500);
    Beneath::of(&bed.engine).await.check();
}
