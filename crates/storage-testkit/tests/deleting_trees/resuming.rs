//! Deletions that another client continues.

use larder_domain::DeletionId;
use larder_storage::{Resources as _, StorageError, Upkeep as _};
use larder_storage_item::{Action, Key, RecordEngine as _, Table, Transaction};

use super::grove::Grove;

#[tokio::test]
async fn all_open_deletions_are_taken_to_their_ends() {
    let grove = Grove::taking(10);
    let mut open = Vec::new();
    for first in [0, 100, 200] {
        let tree = grove.others.plant_tree(first..first + 20, 2).await;
        open.push(grove.begun(&tree[0]).await);
    }
    assert_eq!(grove.store.resume_work(grove.others.now(), 10).await.unwrap(), 3);
    assert_eq!(grove.store.resume_work(grove.others.now(), 10).await.unwrap(), 0);
    for begun in open {
        let found = grove.store.find_deletion(&grove.others.scope, begun.id).await.unwrap();
        let ended = found.unwrap();
        assert_eq!((ended.removed, ended.total), (20, Some(20)));
        assert!(ended.finished_at.is_some());
    }
    assert_eq!(grove.others.records().await, []);
}

#[tokio::test]
async fn a_deletion_that_cannot_go_on_is_not_in_the_way_of_others() {
    let grove = Grove::taking(10);
    let damaged = grove.others.plant_tree(0..20, 20).await;
    let sound = grove.others.plant_tree(100..120, 20).await;
    let open = [grove.begun(&damaged[0]).await, grove.begun(&sound[0]).await];
    // An unreadable record.
    let name = format!("Resource#{}", damaged[7]);
    let key = Key::new(name.clone(), name);
    let record = Table::Relational.record_with(&key).with("_recordType", "nothing");
    let put = Action::Put { table: Table::Relational, record, when: vec![], embed: None };
    let (actor, at) = ("somebody".to_owned(), grove.others.now());
    grove.engine.transact(Transaction { actor, at, actions: vec![put] }).await.unwrap();
    let outcome = grove.store.resume_work(at, 10).await;
    assert!(matches!(outcome, Err(StorageError::Corrupt { .. })), "{outcome:?}");
    let ended = |id: DeletionId| {
        let found = grove.store.find_deletion(&grove.others.scope, id);
        async { found.await.unwrap().unwrap().finished_at.is_some() }
    };
    assert!(!ended(open[0].id).await);
    assert!(ended(open[1].id).await);
}
