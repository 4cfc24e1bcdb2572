//! Deletions that were interrupted, or are continued by several clients at once.

use futures_util::future::join_all;
use larder_storage::{DeleteResource, Result, StorageError};

use super::attributes;
use super::deleting::{MANY, Tree};
use crate::StoreHarness;

/// Deletes as a server does that may be stopped on the way.
async fn delete_until_stopped(
    h: &StoreHarness,
    tree: &Tree,
    id: larder_domain::DeletionId,
) -> Result<()> {
    let mut begun = loop {
        let begun = h.store().delete_resource(&tree.scope, tree.root(), id, h.write()).await;
        match begun {
            Err(StorageError::Contention(_)) => h.move_on().await,
            Ok(DeleteResource::Begun(deletion)) => break deletion,
            Ok(_) => return Ok(()),
            Err(error) => return Err(error),
        }
    };
    while begun.finished_at.is_none() {
        match h.store().continue_deletion(&begun, h.write().at).await {
            Err(StorageError::Contention(_)) => h.move_on().await,
            next => begun = next?,
        }
    }
    Ok(())
}

/// Resumes until no work is found, which a lagging index may delay.
async fn resume(h: &StoreHarness) {
    loop {
        match h.store().resume_work(h.write().at, 3).await {
            Err(StorageError::Contention(_)) => h.move_on().await,
            found => {
                if found.unwrap() == 0 {
                    return;
                }
            }
        }
    }
}

pub async fn p59_a_deletion_that_was_stopped_anywhere_ends_with_nothing_left(h: &StoreHarness) {
    for &transactions in h.scaled(&[0, 1, 2, 3, 5, 8], &[1, 3]) {
        let tree = Tree::planted(h, 30, 3).await;
        let id = h.deletion_id();
        let deleting = delete_until_stopped(h, &tree, id);
        let outcome = h.stopped_after(transactions, deleting).await;
        if h.can_be_stopped() && transactions < 2 {
            assert!(outcome.is_err(), "{transactions}: there was more to do");
        }
        let begun = h.store().find_deletion(&tree.scope, id).await.unwrap();
        if begun.is_none() && outcome.is_err() {
            assert!(h.resource(&tree.scope, tree.root()).await.is_some(), "it was not even begun");
            assert_eq!(h.delete_to_its_end(&tree.scope, tree.root()).await, Some(30));
        }
        let read = async || {
            resume(h).await;
            h.resource(&tree.scope, tree.root()).await.is_none()
        };
        h.eventually(&true, read).await;
        if begun.is_some() {
            let ended = h.store().find_deletion(&tree.scope, id).await.unwrap().unwrap();
            assert!(ended.finished_at.is_some(), "{ended:?}");
            assert_eq!((ended.removed, ended.total), (30, Some(30)));
        }
        tree.check_gone(h).await;
    }
}

pub async fn p59_what_is_left_on_the_way_is_a_smaller_tree(h: &StoreHarness) {
    let tree = Tree::planted(h, 30, 3).await;
    let deleting = delete_until_stopped(h, &tree, h.deletion_id());
    let outcome = h.stopped_after(3, deleting).await;
    for node in &tree.nodes {
        let Some(now) = h.resource(&tree.scope, &node.urn).await else { continue };
        assert_eq!(&now, node);
        if let Some(parent) = &node.parent {
            // Unless another server resumes it meanwhile.
            let above = h.resource(&tree.scope, parent).await;
            let is_there = above.is_some() || h.resource(&tree.scope, &node.urn).await.is_none();
            assert!(is_there, "{} has no parent", node.urn);
        }
    }
    if outcome.is_err() {
        let read = async || {
            resume(h).await;
            h.resource(&tree.scope, tree.root()).await.is_none()
        };
        h.eventually(&true, read).await;
    }
    tree.check_gone(h).await;
}

pub async fn p59_a_deletion_does_not_touch_what_was_made_anew(h: &StoreHarness) {
    let scope = h.account();
    let root = h.made(&scope, None).await;
    for _ in 0..MANY {
        h.made(&scope, Some(&root.urn)).await;
    }
    let begun = h.begin_to_delete(&scope, &root.urn, h.deletion_id()).await;
    // A concurrent deletion is faster, and the URN is reused.
    h.delete_to_its_end(&scope, &root.urn).await;
    assert_eq!(h.resource(&scope, &root.urn).await, None);
    let anew = larder_domain::Resource {
        attributes: attributes(r#"{"anew": true}"#),
        ..h.plain(&scope, root.urn.clone())
    };
    h.create(&scope, &anew).await;
    let child = h.made(&scope, Some(&root.urn)).await;
    if let DeleteResource::Begun(deletion) = begun {
        h.finish(deletion).await;
    }
    resume(h).await;
    assert_eq!(h.resource(&scope, &root.urn).await, Some(anew));
    assert_eq!(h.children(&scope, &root.urn, 5).await, Some(vec![child]));
    assert_eq!(h.delete_to_its_end(&scope, &root.urn).await, Some(2));
}

pub async fn p59_servers_that_go_on_at_once_do_not_disturb_each_other(h: &StoreHarness) {
    let scope = h.account();
    let root = h.made(&scope, None).await;
    for n in 0..MANY {
        let child = h.made(&scope, Some(&root.urn)).await;
        if n % 4 == 0 {
            h.made(&scope, Some(&child.urn)).await;
        }
    }
    let id = h.deletion_id();
    let begun = h.begin_to_delete(&scope, &root.urn, id).await;
    if let DeleteResource::Begun(deletion) = begun {
        join_all((0..4).map(|_| h.finish(deletion.clone()))).await;
        let ended = h.store().find_deletion(&scope, id).await.unwrap().unwrap();
        let all = u64::try_from(1 + MANY + MANY / 4).unwrap();
        assert_eq!((ended.removed, ended.total), (all, Some(all)), "each is counted once");
    }
    assert_eq!(h.resource(&scope, &root.urn).await, None);
    h.eventually(&vec![], async || h.resources(&scope, 50).await).await;
}
