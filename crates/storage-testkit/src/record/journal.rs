//! The journal: every committed change once, in order, with old and new.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use larder_storage_item::{Change, Condition, Key, Record, Table, Transaction};
use tokio::time::timeout;

use super::{failed_action, number};
use crate::EngineHarness;
use crate::engine_harness::{check, delete, put, update};

const TABLE: Table = Table::InventoryManagement;
/// Far longer than any engine takes; reached only if a change was lost.
const LOST: Duration = Duration::from_mins(1);

type Versions = (Option<Record>, Option<Record>);

async fn changes_after(h: &EngineHarness, after: u64) -> Vec<(String, Versions)> {
    let entries = h.engine().journal_after(TABLE, &h.partition("J"), after, 100).await.unwrap();
    entries.into_iter().map(|entry| (entry.key.sk, (entry.old, entry.new))).collect()
}

pub async fn r15_the_journal_holds_each_change_once_with_old_and_new(h: &EngineHarness) {
    let one = h.record("J", "x").with("n", number("1"));
    let two = h.record("J", "x").with("n", number("2"));
    h.commit(vec![put(one.clone())]).await;
    h.commit(vec![update(h.key("J", "x"), vec![Change::Add("n".into(), number("1"))])]).await;
    h.commit(vec![delete(h.key("J", "x"))]).await;
    let expected = vec![
        ("x".to_owned(), (None, Some(one.clone()))),
        ("x".to_owned(), (Some(one), Some(two.clone()))),
        ("x".to_owned(), (Some(two), None)),
    ];
    assert_eq!(changes_after(h, 0).await, expected);
}

pub async fn r15_an_entry_says_who_and_when(h: &EngineHarness) {
    let at: Timestamp = "2031-05-06T07:08:09.123Z".parse().unwrap();
    let actions = vec![put(h.record("J", "x"))];
    let transaction = Transaction { actor: "mia".to_owned(), at, actions };
    h.engine().transact(transaction).await.unwrap();
    let entries = h.engine().journal_of(TABLE, &h.key("J", "x"), None, 10).await.unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!((entries[0].at, entries[0].actor.as_str(), entries[0].table), (at, "mia", TABLE));
    assert_eq!(entries[0].key, h.key("J", "x"));
}

pub async fn r15_what_changed_nothing_is_not_in_the_journal(h: &EngineHarness) {
    h.commit(vec![put(h.record("J", "x"))]).await;
    let head = h.engine().journal_head(TABLE, &h.partition("J")).await.unwrap();
    h.commit(vec![check(h.key("J", "x"), vec![Condition::Exists]), delete(h.key("J", "nobody"))])
        .await;
    let refused = h
        .transact(vec![put(h.record("J", "y")), check(h.key("J", "x"), vec![Condition::NotExists])])
        .await;
    assert_eq!(failed_action(refused), 1);
    assert_eq!(changes_after(h, head).await, []);
    assert_eq!(h.engine().journal_head(TABLE, &h.partition("J")).await.unwrap(), head);
}

pub async fn r15_one_transaction_tells_of_all_its_changes(h: &EngineHarness) {
    h.commit(vec![put(h.record("J", "a")), put(h.record("J", "b")), put(h.record("K", "c"))]).await;
    let mut keys: Vec<_> = changes_after(h, 0).await.into_iter().map(|(sk, _)| sk).collect();
    keys.sort();
    assert_eq!(keys, ["a", "b"]);
}

pub async fn r16_the_journal_of_a_record_is_newest_first_and_pages(h: &EngineHarness) {
    let key = h.key("J", "x");
    for n in 1..=5 {
        h.commit(vec![put(h.record("J", "x").with("n", number(&n.to_string())))]).await;
        h.commit(vec![put(h.record("J", "other").with("n", number(&n.to_string())))]).await;
    }
    for limit in 1..=6 {
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = h.engine().journal_of(TABLE, &key, before, limit).await.unwrap();
            assert!(page.len() <= limit);
            let Some(last) = page.last() else { break };
            before = Some(last.sequence);
            seen.extend(page.iter().map(|e| e.new.as_ref().unwrap().number("n").unwrap()));
        }
        let expected = ["5", "4", "3", "2", "1"].map(number);
        assert_eq!(seen, expected, "limit {limit}");
    }
}

pub async fn r17_sequence_numbers_grow_and_the_journal_pages_by_them(h: &EngineHarness) {
    assert_eq!(h.engine().journal_head(TABLE, &h.partition("J")).await.unwrap(), 0);
    for n in 0..7 {
        h.commit(vec![put(h.record("J", &n.to_string())), put(h.record("K", &n.to_string()))])
            .await;
    }
    let mut after = 0;
    let mut keys = Vec::new();
    loop {
        let pk = h.partition("J");
        let page = h.engine().journal_after(TABLE, &pk, after, 3).await.unwrap();
        assert!(page.len() <= 3);
        let Some(last) = page.last() else { break };
        assert!(page.iter().map(|e| e.sequence).is_sorted_by(|a, b| a < b));
        assert!(page[0].sequence > after);
        after = last.sequence;
        keys.extend(page.iter().map(|entry| entry.key.sk.clone()));
    }
    assert_eq!(keys, ["0", "1", "2", "3", "4", "5", "6"]);
    assert_eq!(h.engine().journal_head(TABLE, &h.partition("J")).await.unwrap(), after);
    assert!(h.engine().journal_floor(TABLE, &h.partition("J")).await.unwrap() <= after);
}

/// Follows the journal of the partition, woken only by the watch, up to this many changes.
async fn follow(h: &EngineHarness, wanted: usize) -> Vec<(Key, Versions)> {
    let pk = h.partition("J");
    let mut watch = h.engine().watch(TABLE, &pk);
    let (mut after, mut seen) = (0, Vec::new());
    while seen.len() < wanted {
        watch.borrow_and_update();
        let page = h.engine().journal_after(TABLE, &pk, after, 10).await.unwrap();
        let Some(last) = page.last() else {
            watch.changed().await.unwrap();
            continue;
        };
        after = last.sequence;
        seen.extend(page.into_iter().map(|entry| (entry.key, (entry.old, entry.new))));
    }
    seen
}

pub async fn r17_a_reader_who_follows_concurrent_writers_misses_nothing(h: &EngineHarness) {
    const WRITERS: usize = 8;
    const WRITES: usize = 25;
    let writers = join_all((0..WRITERS).map(|writer| {
        let engine = Arc::clone(h.engine());
        let key = h.key("J", &writer.to_string());
        let shared = h.key("J", "shared");
        let add = |key| update(key, vec![Change::Add("n".into(), number("1"))]);
        let transaction = h.transaction(vec![add(key), add(shared)]);
        tokio::spawn(async move {
            for _ in 0..WRITES {
                engine.transact(transaction.clone()).await.unwrap();
            }
        })
    }));
    let total = 2 * WRITERS * WRITES;
    let (outcomes, seen) = timeout(LOST, futures_util::future::join(writers, follow(h, total)))
        .await
        .expect("every change reaches the reader");
    for outcome in outcomes {
        outcome.unwrap();
    }
    assert_eq!(seen.len(), total);
    // Each record's changes form a chain: the new image of one is the old image of the next.
    let mut latest: BTreeMap<Key, Option<Record>> = BTreeMap::new();
    for (key, (old, new)) in seen {
        let before = latest.insert(key.clone(), new).flatten();
        assert_eq!(before, old, "{key:?}");
    }
    let shared = latest[&h.key("J", "shared")].clone().unwrap();
    assert_eq!(shared.number("n"), Some(number("200")));
}

pub async fn r18_a_commit_wakes_those_who_watch_its_partition(h: &EngineHarness) {
    let mut watch = h.engine().watch(TABLE, &h.partition("J"));
    watch.borrow_and_update();
    h.commit(vec![put(h.record("J", "x"))]).await;
    timeout(LOST, watch.changed()).await.expect("the listener is woken").unwrap();
}
