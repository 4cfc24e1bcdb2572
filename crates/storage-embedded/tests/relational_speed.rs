//! How fast the relational store is, against a plain point read. For `cargo test --release -p larder-storage-embedded
//! --test relational_speed -- --ignored --nocapture`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "prints what it measures")]

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::Bed;
use common::things::{at, resource, scope, serial, urn, write};
use larder_domain::{AccessAction, DeletionId, Grant, GrantedActions, Urn, UserId};
use larder_storage::{
    AccessRequest, AccountScope, CreateResource, DeleteResource, Grants, PutGrant, Resources,
};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{Action, ItemStore, Key, RecordEngine, Table};
use tokio::task::JoinSet;

type Store = Arc<ItemStore<EmbeddedEngine>>;

fn thing(n: usize) -> Urn {
    urn("Home.Thing", n)
}

async fn create(store: Store, scope: AccountScope, n: usize, parent: Option<usize>) {
    let mut made = resource(&scope, thing(n), parent.map(thing).as_ref());
    if n.is_multiple_of(5) {
        made.unique_keys = serial(&format!("serial {n}"));
    }
    let created = store.create_resource(&scope, &made, write()).await.unwrap();
    assert_eq!(created, CreateResource::Created);
}

/// Makes things in a parent, so many at a time, and prints how many there were in a second.
async fn fill(store: &Store, numbers: std::ops::Range<usize>, parent: usize, writers: usize) {
    let (started, count) = (Instant::now(), numbers.len());
    let mut running = JoinSet::new();
    for n in numbers {
        if running.len() == writers {
            running.join_next().await.unwrap().unwrap();
        }
        running.spawn(create(store.clone(), scope(1), n, Some(parent)));
    }
    running.join_all().await;
    let each = started.elapsed() / u32::try_from(count).unwrap();
    println!("create with a parent, {writers} at a time: {each:?} each");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures"]
async fn what_is_asked_of_the_store() {
    let bed = Bed::new();
    let store: Store = Arc::new(ItemStore::new(bed.engine.clone(), bed.clock.clone()));
    let scope = scope(1);
    create(store.clone(), scope.clone(), 0, None).await;
    // A path of depth ten, and a hundred children at its end.
    for n in 1..=10 {
        create(store.clone(), scope.clone(), n, Some(n - 1)).await;
    }
    fill(&store, 100..200, 10, 1).await;
    fill(&store, 1000..11_000, 9, 64).await;
    let key = Key::new(format!("Resource#{}", thing(5)), format!("Resource#{}", thing(5)));
    let engine = &bed.engine;
    measure("a record", 20_000, async || {
        assert!(engine.get(Table::Relational, &key).await.unwrap().is_some());
    })
    .await;
    measure("a resource", 20_000, async || {
        assert!(store.find_resource(&scope, &thing(5)).await.unwrap().is_some());
    })
    .await;
    measure("100 children", 1000, async || {
        let page = store.list_children(&scope, &thing(10), None, 100).await.unwrap().unwrap();
        assert_eq!(page.items.len(), 100);
    })
    .await;
    measure("ancestors at depth 10", 5000, async || {
        let page = store.list_ancestors(&scope, &thing(10), None, 100).await.unwrap().unwrap();
        assert_eq!(page.items.len(), 10);
    })
    .await;
    let (principal, action) =
        (Urn::of_user(UserId::fixed(2)), AccessAction::parse("read").unwrap());
    let grant = Grant {
        principal: principal.clone(),
        on: thing(0),
        account: scope.account().clone(),
        actions: GrantedActions::new([action.clone()]).unwrap(),
        created_at: at(),
        updated_at: at(),
    };
    assert!(matches!(store.put_grant(&scope, &grant, write()).await.unwrap(), PutGrant::Saved(_)));
    measure("authorize at depth 10", 5000, async || {
        let urn = &thing(10);
        let request = AccessRequest { principal: &principal, action: &action, urn, implied: None };
        assert_eq!(store.authorize(request).await.unwrap().unwrap().path.len(), 11);
    })
    .await;
    let started = Instant::now();
    let id = DeletionId::fixed(1);
    let begun = store.delete_resource(&scope, &thing(0), id, write()).await.unwrap();
    let DeleteResource::Begun(mut deletion) = begun else { panic!("{begun:?}") };
    println!("a deletion begun: {:?}", started.elapsed());
    while deletion.finished_at.is_none() {
        deletion = store.continue_deletion(&deletion, at()).await.unwrap();
    }
    assert_eq!(deletion.removed, 10_111);
    println!("10,111 resources deleted: {:?}", started.elapsed());
}

/// Runs something often and prints how long it takes each time.
async fn measure(name: &str, rounds: u32, mut run: impl AsyncFnMut()) {
    let started = Instant::now();
    for _ in 0..rounds {
        run().await;
    }
    println!("{name}: {:?}", started.elapsed() / rounds);
}

#[tokio::test]
#[ignore = "measures"]
async fn many_records_at_once_against_one_after_the_other() {
    let bed = Bed::new();
    let key = |n: usize| {
        let urn = format!("Resource#urn:pp:Home.Box::0195ff0e-e2e7-7408-8379-{n:012}");
        Key::new(urn.clone(), urn)
    };
    let record = |n: usize| {
        let key = key(n);
        common::record(&key.pk, &key.sk)
            .with("_recordType", "Resource")
            .with("_resourceType", "Home.Box")
            .with("urn", &key.pk[9..])
            .with("_createdAt", "2026-01-01T00:00:00.000Z")
            .with("_accountUrn", "urn:pp:System.Account::0195ff0e-e2e7-7408-8379-52f6cf939e7b")
            .with("name", "A box with many things")
    };
    for first in (0..10_000).step_by(100) {
        let put = |n| Action::Put {
            table: Table::Relational,
            record: record(n),
            when: vec![],
            embed: None,
        };
        bed.run((first..first + 100).map(put).collect()).await.unwrap();
    }
    let keys: Vec<Key> = (0..100).map(|n| key(n * 97)).collect();
    let engine = &bed.engine;
    measure("one record", 20_000, async || {
        assert!(engine.get(Table::Relational, &keys[50]).await.unwrap().is_some());
    })
    .await;
    measure("100 records one after the other", 1000, async || {
        for key in &keys {
            assert!(engine.get(Table::Relational, key).await.unwrap().is_some());
        }
    })
    .await;
    measure("100 records at once", 1000, async || {
        let found = engine.get_many(Table::Relational, &keys).await.unwrap();
        assert!(found.iter().all(Option::is_some));
    })
    .await;
}
