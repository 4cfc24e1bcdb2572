//! Into how many transactions a deletion is cut.

use larder_storage::DeleteResource;

use super::grove::{Grove, serials, urn};
use super::interrupted::Interrupted;

/// The fewest actions that any engine allows.
const FEWEST: usize = 10;

#[tokio::test]
async fn what_fits_exactly_goes_at_once_and_one_more_does_not() {
    // A root with four children: five resources, four links.
    for (children, unique, fits) in [(4, 1, true), (4, 2, false), (5, 0, false)] {
        let grove = Grove::taking(FEWEST);
        let root = grove.others.plant_with(0, None, serials(unique)).await;
        for n in 1..=children {
            grove.others.plant(n, Some(&root)).await;
        }
        match grove.begin(&root).await {
            DeleteResource::Deleted(count) => assert_eq!((count, fits), (5, true)),
            DeleteResource::Begun(begun) => {
                assert!(!fits, "{children} {unique}");
                let (ended, _) = grove.finish(begun).await.unwrap();
                assert_eq!(ended.removed, u64::from(children) + 1);
            }
            DeleteResource::NotFound => panic!("it is there"),
        }
        assert_eq!(grove.others.records().await, []);
    }
}

#[tokio::test]
async fn a_deep_tree_is_read_as_often_as_it_is_deep() {
    const DEPTH: u32 = 600;
    let grove = Grove::taking(FEWEST);
    let chain = grove.others.plant_tree(0..DEPTH, 1).await;
    let begun = grove.begun(&chain[0]).await;
    let (ended, _) = grove.finish(begun).await.unwrap();
    assert_eq!((ended.removed, ended.total), (DEPTH.into(), Some(DEPTH.into())));
    assert_eq!(grove.others.records().await, []);
    // Two reads of each to count, two on the way down and one on the way up, and one more per transaction.
    let reads = grove.engine.reads();
    assert!(reads <= 6 * DEPTH as usize, "{reads}");
    // Three of a chain fit beside each other.
    let transactions = grove.engine.transactions();
    assert!(transactions <= DEPTH as usize / 3 + 5, "{transactions}");
}

#[tokio::test]
async fn a_call_does_a_bounded_piece_and_the_next_goes_on() {
    let grove = Grove::taking(FEWEST);
    let tree = grove.others.plant_tree(0..1_000, 1_000).await;
    let begun = grove.begun(&tree[0]).await;
    let (ended, calls) = grove.finish(begun).await.unwrap();
    assert_eq!((ended.removed, calls), (1_000, 2));
    assert_eq!(grove.others.records().await, []);
}

#[tokio::test]
async fn a_resource_with_more_unique_values_than_fit_gives_them_all_back() {
    let grove = Grove::taking(FEWEST);
    let root = grove.others.plant(0, None).await;
    grove.others.plant_with(1, Some(&root), serials(10)).await;
    assert_eq!(grove.delete(&root).await, 2);
    assert_eq!(grove.others.records().await, []);
}

#[tokio::test]
async fn a_resource_with_more_links_than_fit_loses_them_first_and_the_other_ends_stay() {
    let grove = Grove::taking(FEWEST);
    let root = grove.others.plant(0, None).await;
    for n in 1..=25 {
        let outside = grove.others.plant(n, None).await;
        grove.others.put_into(&root, &outside).await;
        grove.others.put_into(&outside, &root).await;
    }
    assert_eq!(grove.delete(&root).await, 1);
    assert_eq!(grove.others.records().await.len(), 25);
    for n in 1..=25 {
        let gone = grove.others.fell(&urn(n)).await;
        assert_eq!(gone, DeleteResource::Deleted(1), "nothing is said to name it");
    }
    assert_eq!(grove.others.records().await, []);
}

#[tokio::test]
async fn large_records_take_smaller_batches() {
    let grove = Grove::on(|engine| Interrupted::new(engine, 100).updating(4));
    let root = grove.others.plant(0, None).await;
    for n in 1..=30 {
        let outside = grove.others.plant(n, None).await;
        grove.others.put_into(&root, &outside).await;
    }
    assert_eq!(grove.delete(&root).await, 1);
    assert_eq!(grove.others.records().await.len(), 30);
    for n in 1..=30 {
        assert_eq!(grove.others.fell(&urn(n)).await, DeleteResource::Deleted(1));
    }
}
