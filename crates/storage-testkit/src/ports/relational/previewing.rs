//! The preview of a deletion.

use super::PAGE_SIZES;
use super::deleting::Tree;
use crate::StoreHarness;

pub async fn p58_a_preview_shows_each_before_what_is_below_it(h: &StoreHarness) {
    let tree = Tree::planted(h, 7, 2).await;
    let expected: Vec<_> = [0, 1, 3, 4, 2, 5, 6].map(|n| tree.nodes[n].urn.clone()).into();
    for limit in PAGE_SIZES {
        let shown = h.preview(&tree.scope, tree.root(), limit).await.unwrap();
        let urns: Vec<_> = shown.iter().map(|doomed| doomed.urn.clone()).collect();
        assert_eq!(urns, expected, "{limit}");
    }
    let part = h.preview(&tree.scope, &tree.nodes[2].urn, 5).await.unwrap();
    assert_eq!(part.len(), 3);
    assert_eq!(h.preview(&tree.scope, &h.urn(), 5).await, None);
}

pub async fn p58_a_preview_tells_values_and_links_and_changes_nothing(h: &StoreHarness) {
    let tree = Tree::planted(h, 4, 3).await;
    let shown = h.preview(&tree.scope, tree.root(), 10).await.unwrap();
    for (doomed, node) in shown.iter().zip(&tree.nodes) {
        assert_eq!((&doomed.urn, &doomed.parent), (&node.urn, &node.parent));
        assert_eq!(doomed.unique_keys, node.unique_keys);
        assert_eq!(h.resource(&tree.scope, &node.urn).await.as_ref(), Some(node));
    }
    // In a collection, with a member, granted; and the first and last are in each other.
    let links: Vec<_> = shown.iter().map(|doomed| doomed.links).collect();
    assert_eq!(links, [4, 3, 3, 4]);
    let count = u64::try_from(shown.len()).unwrap();
    assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, Some(count));
    tree.check_gone(h).await;
}
