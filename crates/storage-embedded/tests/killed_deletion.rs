//! A deletion in many transactions survives any number of crashes: what is left is consistent, and
//! is deleted after the next start.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the process that is killed tells its progress that way"
)]

mod common;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use common::START_S;
use common::things::{Beneath, at, resource, scope, serial, urn, write};
use jiff::Timestamp;
use larder_domain::{
    AccessAction, CollectionMemberRelationship, Deletion, DeletionId, Grant, GrantedActions,
    Resource, Urn, UserId,
};
use larder_storage::{
    AccountScope, AddMember, CreateResource, DeleteResource, Grants, ManualClock, PutGrant,
    Resources,
};
use larder_storage_embedded::{Durability, EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{ItemStore, Key, Number, Record};
use tokio::task::JoinSet;

/// The directory of the store, for the process that is to be killed.
const TO_BE_KILLED: &str = "LARDER_TEST_TO_BE_KILLED";
const DELETION: DeletionId = DeletionId::fixed(7);

/// How many resources go, with how many unique values and memberships.
const TREE: usize = 10_000;
const KEYS: usize = 2000;
const MEMBERSHIPS: usize = 5000;
/// The number of resources of the same account that remain.
const OTHERS: usize = 500;
const KILLS: u64 = 5;
/// How many resources go before a process is killed.
const BEFORE_A_KILL: u64 = 1500;

type Store = Arc<ItemStore<EmbeddedEngine>>;

fn open(directory: &Path, durability: Durability) -> (Arc<EmbeddedEngine>, Store) {
    let clock = Arc::new(ManualClock::new(Timestamp::from_second(START_S).unwrap()));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let engine = Arc::new(EmbeddedEngine::open(directory, clock.clone(), options).unwrap());
    (engine.clone(), Arc::new(ItemStore::new(engine, clock)))
}

/// The resources that go: rooms with ten shelves each, and boxes on the shelves.
fn doomed(n: usize) -> Urn {
    urn("Home.Thing", n)
}

fn parent_of(n: usize) -> Option<Urn> {
    match n {
        0 => None,
        1..100 => Some(doomed(0)),
        100..1000 => Some(doomed(n / 10)),
        _ => Some(doomed(100 + n % 900)),
    }
}

fn other(n: usize) -> Urn {
    urn("Home.Other", n)
}

/// Memberships within the tree, from outside into it, from it to the outside, and outside only.
fn membership(n: usize) -> CollectionMemberRelationship {
    let (collection, member) = match n % 3 {
        0 => (doomed(n), doomed(n + 1)),
        1 => (other(n % OTHERS), doomed(n)),
        _ => (doomed(n), other(n % OTHERS)),
    };
    CollectionMemberRelationship::new(collection, member, n.is_multiple_of(2)).unwrap()
}

/// Runs this many writes, many concurrently.
async fn many<F: Future<Output = ()> + Send + 'static>(count: usize, write: impl Fn(usize) -> F) {
    let mut running = JoinSet::new();
    for n in 0..count {
        if running.len() == 64 {
            running.join_next().await.unwrap().unwrap();
        }
        running.spawn(write(n));
    }
    running.join_all().await;
}

async fn create(store: Store, scope: AccountScope, resource: Resource) {
    let made = store.create_resource(&scope, &resource, write()).await.unwrap();
    assert_eq!(made, CreateResource::Created, "{}", resource.urn);
}

async fn grant(store: Store, scope: AccountScope, on: Urn) {
    let actions = GrantedActions::new([AccessAction::parse("read").unwrap()]).unwrap();
    let (principal, account) = (Urn::of_user(UserId::fixed(2)), scope.account().clone());
    let grant = Grant { principal, on, account, actions, created_at: at(), updated_at: at() };
    let given = store.put_grant(&scope, &grant, write()).await.unwrap();
    assert!(matches!(given, PutGrant::Saved(_)), "{grant:?}");
}

async fn fill(store: &Store) {
    let (own, foreign) = (scope(1), scope(2));
    for level in [0..1, 1..100, 100..1000, 1000..TREE] {
        let first = level.start;
        many(level.len(), |n| {
            let n = first + n;
            let mut thing = resource(&own, doomed(n), parent_of(n).as_ref());
            if n % (TREE / KEYS) == 0 {
                thing.unique_keys = serial(&format!("serial {n}"));
            }
            create(store.clone(), own.clone(), thing)
        })
        .await;
    }
    create(store.clone(), own.clone(), resource(&own, other(0), None)).await;
    many(OTHERS - 1, |n| {
        let mut thing = resource(&own, other(n + 1), Some(&other(0)));
        thing.unique_keys = serial(&format!("other {n}"));
        create(store.clone(), own.clone(), thing)
    })
    .await;
    many(100, |n| {
        create(store.clone(), foreign.clone(), resource(&foreign, urn("Foreign", n), None))
    })
    .await;
    many(MEMBERSHIPS, |n| {
        let (store, own) = (store.clone(), own.clone());
        async move {
            let added = store.add_to_collection(&own, &membership(n), write()).await.unwrap();
            assert_eq!(added, AddMember::Added);
        }
    })
    .await;
    many(OTHERS / 2, |n| {
        let (store, own) = (store.clone(), own.clone());
        async move {
            let link = CollectionMemberRelationship::new(other(n), other(n + 1), true).unwrap();
            assert_eq!(
                store.add_to_collection(&own, &link, write()).await.unwrap(),
                AddMember::Added
            );
        }
    })
    .await;
    many(100, |n| grant(store.clone(), own.clone(), doomed(n * 100))).await;
    many(100, |n| grant(store.clone(), own.clone(), other(n))).await;
}

async fn progress(store: &Store) -> Deletion {
    store.find_deletion(&scope(1), DELETION).await.unwrap().unwrap()
}

/// Continues the deletion and reports its progress, until it is killed.
fn delete_and_tell(directory: &Path) {
    let (_engine, store) = open(directory, Durability::Full);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let mut deletion = progress(&store).await;
        let watching = store.clone();
        tokio::spawn(async move {
            let mut told = None;
            loop {
                let removed = progress(&watching).await.removed;
                if told.replace(removed) != Some(removed) {
                    println!("\nremoved {removed}");
                }
                tokio::task::yield_now().await;
            }
        });
        while deletion.finished_at.is_none() {
            deletion = store.continue_deletion(&deletion, at()).await.unwrap();
        }
    });
}

/// Starts a process that continues the deletion, and kills it after so many resources.
fn kill_within(directory: &Path, test: &str) {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(TO_BE_KILLED, directory)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut told = lines.filter_map(|line| line.strip_prefix("removed ")?.parse::<u64>().ok());
    let first = told.next().unwrap();
    let last = told.find(|removed| *removed >= first + BEFORE_A_KILL);
    assert!(last.is_some(), "the process ended before it was killed");
    process.kill().unwrap();
    assert_eq!(process.wait().unwrap().signal(), Some(9), "the process ended by itself");
}

/// The expected rest after the deletion of the tree.
fn without_the_tree(before: &Beneath) -> Beneath {
    let tree: BTreeSet<String> = (0..TREE).map(|n| doomed(n).to_string()).collect();
    let ends =
        ["urn", "parentUrn", "childUrn", "collectionUrn", "memberUrn", "associatedRecordUrn"];
    let of_tree = |record: &Record| {
        ends.iter()
            .chain(&["resourceUrn"])
            .any(|end| record.text(end).is_some_and(|urn| tree.contains(urn)))
    };
    let mut left = before.clone();
    left.records.retain(|_, record| !of_tree(record));
    left.grants.retain(|_, record| !of_tree(record));
    for link in before.each("CollectionMemberRelationship").filter(|link| of_tree(link)) {
        for end in ["collectionUrn", "memberUrn"] {
            let key = format!("Resource#{}", link.text(end).unwrap());
            if let Some(resource) = left.records.get_mut(&Key::new(key.clone(), key)) {
                let links = resource.number("_linkCount").unwrap();
                resource.set("_linkCount", links.checked_add(Number::from(-1)).unwrap());
            }
        }
    }
    left
}

#[test]
fn a_deletion_that_is_killed_five_times_leaves_nothing_of_the_tree_and_all_else() {
    let name = "a_deletion_that_is_killed_five_times_leaves_nothing_of_the_tree_and_all_else";
    if let Some(directory) = std::env::var_os(TO_BE_KILLED) {
        return delete_and_tell(Path::new(&directory));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let directory = tempfile::TempDir::new().unwrap();
    let before = runtime.block_on(async {
        let (engine, store) = open(directory.path(), Durability::Relaxed);
        fill(&store).await;
        let before = Beneath::of(&engine).await;
        before.check();
        let memberships = MEMBERSHIPS + OTHERS / 2;
        assert_eq!(before.counts(), [10_600, 10_498, memberships, KEYS + OTHERS - 1, 200]);
        let begun = store.delete_resource(&scope(1), &doomed(0), DELETION, write()).await.unwrap();
        assert!(matches!(begun, DeleteResource::Begun(_)), "{begun:?}");
        before
    });
    for kill in 1..=KILLS {
        kill_within(directory.path(), name);
        runtime.block_on(async {
            let (engine, store) = open(directory.path(), Durability::Full);
            let (deletion, left) = (progress(&store).await, Beneath::of(&engine).await);
            left.check();
            assert_eq!(deletion.finished_at, None, "kill {kill}");
            let removed = usize::try_from(deletion.removed).unwrap();
            assert_eq!(left.each("Resource").count(), 10_600 - removed, "kill {kill}");
        });
    }
    runtime.block_on(async {
        let (engine, store) = open(directory.path(), Durability::Full);
        let mut deletion = progress(&store).await;
        while deletion.finished_at.is_none() {
            deletion = store.continue_deletion(&deletion, at()).await.unwrap();
        }
        assert_eq!((deletion.removed, deletion.total), (10_000, Some(10_000)));
        let left = Beneath::of(&engine).await;
        left.check();
        assert!(left == without_the_tree(&before), "something else was touched");
        assert_eq!(engine.scrub().await.unwrap().damaged, []);
    });
}
