//! A store with flipped bits in its file answers correctly or with an error, never wrongly.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::sync::Arc;

use common::rot::{PAGE, Question, Sound, closed, open};
use common::{Bed, Dice, TABLE, add, delete, partition, put, record, transaction};
use larder_storage::StorageError;
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{
    Action, BY_ACCOUNT, GSI1, GSI2, INVERTED, Index, Key, Number, Query, RecordEngine, Table,
};

const PARTITIONS: usize = 5;

/// Enough records for trees of several levels.
async fn fill(bed: &Bed) {
    for n in 0..300 {
        let household = format!("FAMILY#{}", n % PARTITIONS);
        let item = record(&household, &format!("ITEM#{n:04}"))
            .with("GSI1PK", format!("{household}#SHELF#{}", n % 3))
            .with("GSI1SK", format!("{:02}", n % 17))
            .with("GSI2PK", format!("{household}#ITEMS"))
            .with("GSI2SK", format!("CREATED#{n:04}"))
            .with("name", format!("goods number {n} {}", "and more ".repeat(n % 23)))
            .with("quantity", Number::from(7));
        let resource = record(&format!("urn:pp:Box::{}", n % 40), &format!("urn:pp:Thing::{n}"))
            .with("_accountUrn", household.as_str())
            .with("urn", format!("urn:pp:Thing::{n}"));
        let relation =
            Action::Put { table: Table::Relational, record: resource, when: vec![], embed: None };
        bed.run(vec![put(item), relation]).await.unwrap();
    }
    for n in (0..300).step_by(10) {
        let (pk, sk) = (format!("FAMILY#{}", n % PARTITIONS), format!("ITEM#{n:04}"));
        bed.run(vec![add(&pk, &sk, 1)]).await.unwrap();
        bed.run(vec![delete(&pk, &format!("ITEM#{:04}", n + PARTITIONS))]).await.unwrap();
    }
}

enum Asked {
    Get(Table, Key),
    GetMany(Table, Vec<Key>),
    Query(Query),
    Scan(Table, Option<Key>),
    Partition(String),
    History(Key),
}

impl Question for Asked {
    async fn ask(&self, engine: &EmbeddedEngine) -> Result<String, StorageError> {
        Ok(match self {
            Self::Get(table, key) => format!("{:?}", engine.get(*table, key).await?),
            Self::GetMany(table, keys) => format!("{:?}", engine.get_many(*table, keys).await?),
            Self::Query(query) => {
                let page = engine.query(query).await?;
                format!("{:?} {:?}", page.records, page.next)
            }
            Self::Scan(table, start) => {
                let page = engine.scan(*table, start.as_ref(), 150).await?;
                format!("{:?} {:?}", page.records, page.next)
            }
            Self::Partition(pk) => {
                let head = engine.journal_head(TABLE, pk).await?;
                let floor = engine.journal_floor(TABLE, pk).await?;
                format!("{head} {floor} {:?}", engine.journal_after(TABLE, pk, 0, 1000).await?)
            }
            Self::History(key) => format!("{:?}", engine.journal_of(TABLE, key, None, 100).await?),
        })
    }
}

/// Every record, present or not, every partition of every index in both directions, pages of each whole table, and
/// every journal.
fn questions() -> Vec<Asked> {
    let mut all = Vec::new();
    let item = |n: usize| Key::new(format!("FAMILY#{}", n % PARTITIONS), format!("ITEM#{n:04}"));
    let resource =
        |n: usize| Key::new(format!("urn:pp:Box::{}", n % 40), format!("urn:pp:Thing::{n}"));
    for first in (0..305).step_by(20) {
        all.push(Asked::GetMany(TABLE, (first..first + 30).map(item).collect()));
        all.push(Asked::GetMany(Table::Relational, (first..first + 30).map(resource).collect()));
    }
    for n in 0..305 {
        let key = item(n);
        let near = Key::new(key.pk.clone(), format!("ITEM#{n:04}x"));
        all.extend([Asked::Get(TABLE, key.clone()), Asked::Get(TABLE, near)]);
        all.extend([Asked::Get(Table::Relational, resource(n)), Asked::History(key)]);
    }
    let mut whole = |table: Table, index: Option<Index>, pk: String| {
        for forward in [true, false] {
            all.push(Asked::Query(Query { table, forward, ..partition(&pk, index) }));
        }
    };
    for family in (0..=PARTITIONS).map(|n| format!("FAMILY#{n}")) {
        for shelf in 0..3 {
            whole(TABLE, Some(GSI1), format!("{family}#SHELF#{shelf}"));
        }
        whole(TABLE, None, family.clone());
        whole(TABLE, Some(GSI2), format!("{family}#ITEMS"));
        whole(Table::Relational, Some(BY_ACCOUNT), family);
    }
    for n in 0..40 {
        whole(Table::Relational, None, format!("urn:pp:Box::{n}"));
        whole(Table::Relational, Some(INVERTED), format!("urn:pp:Thing::{n}"));
    }
    for table in Table::ALL {
        let starts =
            [None, Some(Key::new("FAMILY#2", "ITEM#")), Some(Key::new("urn:pp:Box::3", "x"))];
        all.extend(starts.map(|start| Asked::Scan(table, start)));
    }
    all.extend((0..=PARTITIONS).map(|n| Asked::Partition(format!("FAMILY#{n}"))));
    all
}

async fn sound_store() -> (Bed, Sound<Asked>) {
    let bed = Bed::new();
    fill(&bed).await;
    // A closed store still reads.
    let file = closed(&bed).await;
    let sound = Sound::of(&bed, questions(), file).await;
    (bed, sound)
}

#[tokio::test]
async fn a_flipped_bit_anywhere_is_never_a_wrong_answer() {
    let flips = 100;
    let (_bed, sound) = sound_store().await;
    let noticed = sound.flip_many(20_260_101, flips, Dice::below).await;
    assert!(noticed > flips / 2, "only {noticed} flips hit anything that is read");
}

#[tokio::test]
async fn a_flipped_bit_in_the_frame_of_a_page_is_never_a_wrong_answer() {
    // Headers and cell pointers: cell counts, child pages, starts of cells.
    let flips = 100;
    let in_a_header =
        |dice: &mut Dice, bytes: usize| dice.below(bytes / PAGE) * PAGE + dice.below(24);
    let (_bed, sound) = sound_store().await;
    let noticed = sound.flip_many(20_260_102, flips, in_a_header).await;
    assert!(noticed > flips / 4, "only {noticed} flips hit anything that is read");
}

#[tokio::test]
async fn damage_is_named_and_fails_only_who_touches_it() {
    let (bed, Sound { mut file, .. }) = sound_store().await;
    let text = b"goods number 123 ";
    let at = file.windows(text.len()).position(|window| window == text).unwrap();
    // The row or its image in the journal: both are hit, wherever they lie.
    file[at] ^= 1;
    let again = file.windows(text.len()).position(|window| window == text).unwrap();
    file[again] ^= 1;
    let directory = tempfile::TempDir::new().unwrap();
    std::fs::write(directory.path().join("larder.db"), &file).unwrap();
    let engine = open(directory.path(), &bed.clock).unwrap();

    let (hit, other) = (add("FAMILY#3", "ITEM#0123", 1), add("FAMILY#3", "ITEM#0128", 1));
    let (hit, other) = tokio::join!(
        engine.transact(transaction(vec![hit])),
        engine.transact(transaction(vec![other]))
    );
    assert_eq!(
        other.unwrap().images[0].as_ref().unwrap().number("quantity"),
        Some(Number::from(8))
    );
    let words = hit.unwrap_err().to_string();
    assert!(words.starts_with("corrupt record InventoryManagement FAMILY#3 ITEM#0123:"), "{words}");
    let report = engine.scrub().await.unwrap();
    assert!(
        report.damaged.iter().any(|one| one.record == "InventoryManagement FAMILY#3 ITEM#0123")
    );
    assert!(report.damaged.iter().any(|one| one.record.starts_with("journal ")));
}

/// A store in whose file every occurrence of a text was changed.
fn damaged_everywhere(bed: &Bed, file: &[u8], text: &str) -> (tempfile::TempDir, EmbeddedEngine) {
    let mut file = file.to_vec();
    let mut hits = 0;
    while let Some(at) = file.windows(text.len()).position(|window| window == text.as_bytes()) {
        // The last letter, so that the sort order is unchanged.
        file[at + text.len() - 1] ^= 1;
        hits += 1;
    }
    assert!(hits > 0, "{text} is nowhere in the file");
    let directory = tempfile::TempDir::new().unwrap();
    std::fs::write(directory.path().join("larder.db"), &file).unwrap();
    let engine = open(directory.path(), &bed.clock).unwrap();
    (directory, engine)
}

#[tokio::test]
async fn a_write_that_fails_halfway_is_taken_back_and_the_others_of_its_batch_happen_once() {
    let bed = Bed::new();
    let indexed = |sk: &str, place: &str| {
        record("p", sk).with("GSI1PK", "shelf").with("GSI1SK", place).with("quantity", Number::ZERO)
    };
    bed.run(vec![put(indexed("old", "place-to-damage"))]).await.unwrap();
    bed.engine.close().await;
    let file = std::fs::read(bed.directory.path().join("larder.db")).unwrap();
    let (_directory, engine) = damaged_everywhere(&bed, &file, "place-to-damage");

    let engine = Arc::new(engine);
    let ask = |actions| {
        let engine = engine.clone();
        tokio::spawn(async move { engine.transact(transaction(actions)).await })
    };
    // Its row is written before the index shows that the neighbour of its entry is damaged.
    let earlier: Vec<_> = (0..10).map(|n| ask(vec![add("q", "s", 1 << n)])).collect();
    let doomed = ask(vec![put(indexed("new", "place-to-z"))]);
    let later: Vec<_> = (10..20).map(|n| ask(vec![add("q", "s", 1 << n)])).collect();
    for other in earlier.into_iter().chain(later) {
        other.await.unwrap().unwrap();
    }
    let doomed = doomed.await.unwrap();
    let words = doomed.unwrap_err().to_string();
    assert!(words.starts_with("corrupt record InventoryManagement p old:"), "{words}");
    assert_eq!(engine.get(TABLE, &Key::new("p", "new")).await.unwrap(), None);
    let sum = engine.get(TABLE, &Key::new("q", "s")).await.unwrap().unwrap();
    assert_eq!(sum.number("quantity"), Some(Number::from((1 << 20) - 1)));
    assert_eq!(engine.statistics().last_sequence, 21);
    assert_eq!(engine.journal_after(TABLE, "q", 0, 100).await.unwrap().len(), 20);
}

#[tokio::test]
async fn damaged_records_do_not_keep_the_sweep_from_the_others() {
    let bed = Bed::new();
    for n in 0..130 {
        // More damaged records than fit into one step of the sweep, and they expire first.
        let name = if n < 110 { "to-be-damaged" } else { "sound" };
        let mortal = record("p", &format!("s{n:03}"))
            .with("name", name)
            .with("ttl", Number::from(common::START_S + n));
        bed.run(vec![put(mortal)]).await.unwrap();
    }
    bed.engine.close().await;
    let file = std::fs::read(bed.directory.path().join("larder.db")).unwrap();
    let (_directory, engine) = damaged_everywhere(&bed, &file, "to-be-damaged");
    bed.clock.advance(jiff::SignedDuration::from_secs(1000));
    assert_eq!(engine.sweep().await.unwrap().records, 20);
    assert_eq!(engine.sweep().await.unwrap().records, 0);
}
