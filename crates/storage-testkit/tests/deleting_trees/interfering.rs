//! Interference between the reads of a deletion and its transactions.

use std::sync::{Arc, Mutex};

use larder_domain::Urn;
use larder_storage::{DeleteResource, StorageError};

use super::grove::{Gardener, Grove, urn};

/// A single interference.
type Deed = Box<dyn FnOnce(Gardener) -> futures_util::future::BoxFuture<'static, ()> + Send>;

/// Deletes a tree of 40 with three children each in small transactions, with interference before
/// the transaction of this number; returns the store and the number of deleted resources.
async fn delete_while(number: usize, deed: Deed) -> (Grove, u64) {
    let grove = Grove::taking(10);
    let tree = grove.others.plant_tree(0..40, 3).await;
    grove.others.plant(1_000, None).await;
    let begun = grove.begun(&tree[0]).await;
    let (others, deed) = (grove.others.clone(), Mutex::new(Some(deed)));
    grove.engine.interfere(Box::new(move |before| {
        let deed = if before == number { deed.lock().unwrap().take() } else { None };
        match deed {
            Some(deed) => deed(others.clone()),
            None => Box::pin(std::future::ready(())),
        }
    }));
    let (ended, _) = grove.finish(begun).await.unwrap();
    (grove, ended.removed)
}

fn outside() -> Urn {
    urn(1_000)
}

/// The transactions before which something is done: the first two begin and count.
const MOMENTS: [usize; 6] = [1, 2, 3, 4, 6, 9];

#[tokio::test]
async fn what_is_moved_out_of_the_tree_stays_with_all_below_it() {
    for number in MOMENTS {
        let (grove, removed) = delete_while(
            number,
            Box::new(|others| Box::pin(async move { others.attach(&urn(3), &outside()).await })),
        )
        .await;
        // Below the fourth are three, and three below each of these.
        for n in [3, 10, 11, 12, 31, 32, 33, 34, 35, 36, 37, 38, 39] {
            assert!(grove.others.is_there(&urn(n)).await, "{number}: {n}");
        }
        assert_eq!(removed, 27, "{number}");
        let fallen = grove.others.fell(&outside()).await;
        assert_eq!(fallen, DeleteResource::Deleted(14), "{number}");
        assert_eq!(grove.others.records().await, []);
    }
}

#[tokio::test]
async fn what_is_taken_out_of_its_parent_stays() {
    for number in MOMENTS {
        let (grove, removed) = delete_while(
            number,
            Box::new(|others| Box::pin(async move { others.detach(&urn(3)).await })),
        )
        .await;
        assert_eq!(removed, 27, "{number}");
        assert_eq!(grove.others.fell(&urn(3)).await, DeleteResource::Deleted(13), "{number}");
    }
}

#[tokio::test]
async fn what_is_made_anew_elsewhere_stays() {
    for number in MOMENTS {
        let (grove, removed) = delete_while(
            number,
            Box::new(|others| {
                Box::pin(async move {
                    let gone = others.fell(&urn(3)).await;
                    assert_eq!(gone, DeleteResource::Deleted(13));
                    others.plant(3, Some(&outside())).await;
                    // More than fit into one batch.
                    for n in [10, 11, 12, 2_000, 2_001] {
                        others.plant(n, Some(&urn(3))).await;
                    }
                })
            }),
        )
        .await;
        assert_eq!(removed, 27, "{number}");
        let fallen = grove.others.fell(&outside()).await;
        assert_eq!(fallen, DeleteResource::Deleted(7), "{number}");
        assert_eq!(grove.others.records().await, []);
    }
}

#[tokio::test]
async fn what_is_put_into_the_tree_goes_too() {
    for number in MOMENTS {
        let (grove, removed) = delete_while(
            number,
            Box::new(|others| {
                Box::pin(async move {
                    // Below the last leaf, and a tree from outside below the root.
                    others.plant(2_000, Some(&urn(39))).await;
                    others.attach(&outside(), &urn(0)).await;
                    others.put_into(&urn(2_000), &outside()).await;
                })
            }),
        )
        .await;
        assert_eq!(removed, 42, "{number}");
        assert_eq!(grove.others.records().await, []);
    }
}

#[tokio::test]
async fn whoever_is_always_faster_ends_it_with_contention_and_nothing_is_lost() {
    let grove = Grove::taking(10);
    let tree = grove.others.plant_tree(0..40, 3).await;
    let begun = grove.begun(&tree[0]).await;
    let count = grove.engine.transactions();
    let others = grove.others.clone();
    let is_on = Arc::new(Mutex::new(true));
    let switch = Arc::clone(&is_on);
    grove.engine.interfere(Box::new(move |before| {
        let (others, is_on) = (others.clone(), *switch.lock().unwrap());
        Box::pin(async move {
            // After the count, an unrelated resource is moved each time.
            if is_on && before > count {
                let n = 10_000 + u32::try_from(before).unwrap();
                let moved = others.plant(n, None).await;
                others.plant(20_000 + n, None).await;
                others.attach(&moved, &urn(20_000 + n)).await;
            }
        })
    }));
    let outcome = grove.finish(begun.clone()).await;
    assert!(matches!(outcome, Err(StorageError::Contention(_))), "{outcome:?}");
    for urn in &tree {
        assert!(grove.others.is_there(urn).await);
    }
    *is_on.lock().unwrap() = false;
    assert_eq!(grove.finish(begun).await.unwrap().0.removed, 40);
}
