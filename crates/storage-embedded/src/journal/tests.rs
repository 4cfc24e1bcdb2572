//! Files from when every change was journaled, including those that produce no events.

use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_storage::{Clock, ManualClock};
use larder_storage_item::{Action, Change, Key, Number, Record, RecordEngine, Table, Transaction};

use super::write::{self, Tail};
use crate::codec;
use crate::file::DataDirectory;
use crate::layout::Layout;
use crate::records::{self, Raw};
use crate::tree::TreeKey;
use crate::{EmbeddedEngine, EmbeddedOptions};

const TABLE: Table = Table::InventoryManagement;
const START: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn session(n: i64) -> Record {
    let record = Record::new().with("PK", "USER#1").with("SK", format!("SESSION#{n}"));
    record.with("quantity", Number::from(n))
}

fn key(n: i64) -> Key {
    Key::new("USER#1", format!("SESSION#{n}"))
}

/// Two existing sessions and two deleted ones, all of them journaled.
fn former_file(directory: &Path) {
    let connection = DataDirectory::lock(directory).unwrap().writer().unwrap();
    let (layout, mut tail) = (Layout::of(TABLE), Tail::load(&connection).unwrap());
    let mut journal = |n: i64, old: Option<&[u8]>, new: Option<&[u8]>, record_previous| {
        let (at_us, key) = (START.as_microsecond(), key(n));
        let change = write::Change {
            at_us,
            actor: "ann",
            table: TABLE,
            key: &key,
            old,
            new,
            record_previous,
        };
        let seq = tail.next();
        tail.append(&connection, &change).unwrap();
        seq
    };
    for n in 1..=4 {
        let (body, key) = (codec::encode(TABLE.key_names(), &session(n)), key(n));
        let place = TreeKey::primary(&key.pk, &key.sk);
        let seq = journal(n, None, Some(&body), 0);
        if n <= 2 {
            let row = Raw { expires_at: None, seq, body: &body };
            let rid = records::insert(&connection, TABLE, &key, row).unwrap();
            layout.keys.insert(&connection, &place, rid).unwrap();
        } else {
            let deleted = journal(n, Some(&body), None, seq);
            layout.gone.insert(&connection, &place, deleted).unwrap();
        }
    }
    tail.flush(&connection).unwrap();
}

#[tokio::test]
async fn what_was_journaled_once_goes_on_unjournaled() {
    let directory = tempfile::tempdir().unwrap();
    former_file(directory.path());
    let clock = Arc::new(ManualClock::new(START));
    let options = EmbeddedOptions::default();
    let engine = EmbeddedEngine::open(directory.path(), clock.clone(), options).unwrap();
    assert_eq!(engine.scrub().await.unwrap().damaged, []);
    let histories = async || {
        let mut lengths = Vec::new();
        for n in 1..=4 {
            lengths.push(engine.journal_of(TABLE, &key(n), None, 9).await.unwrap().len());
        }
        lengths
    };
    assert_eq!(histories().await, [1, 1, 2, 2]);

    // One of each kind is changed; the other is untouched.
    let changes = vec![Change::Add("quantity".into(), Number::from(10))];
    let actions = vec![
        Action::Update { table: TABLE, key: key(1), when: vec![], changes },
        Action::Put { table: TABLE, record: session(3), when: vec![], embed: None },
    ];
    let transaction = Transaction { actor: "ann".into(), at: clock.now(), actions };
    engine.transact(transaction).await.unwrap();
    let first = engine.get(TABLE, &key(1)).await.unwrap().unwrap();
    assert_eq!(first.number("quantity"), Some(Number::from(11)));
    assert_eq!(engine.get(TABLE, &key(3)).await.unwrap(), Some(session(3)));
    assert_eq!(engine.statistics().last_sequence, 6);
    assert_eq!(histories().await, [0, 1, 0, 2]);
    assert_eq!(engine.journal_after(TABLE, "USER#1", 0, 9).await.unwrap().len(), 6);
    assert_eq!(engine.scrub().await.unwrap().damaged, []);

    // Deleted again, the previously deleted record loses its former history.
    let actions = vec![Action::Delete { table: TABLE, key: key(3), when: vec![] }];
    let transaction = Transaction { actor: "ann".into(), at: clock.now(), actions };
    engine.transact(transaction).await.unwrap();
    assert_eq!(engine.scrub().await.unwrap().damaged, []);

    clock.advance(SignedDuration::from_hours(36 * 24));
    assert_eq!(engine.sweep().await.unwrap().journal_entries, 6);
    assert_eq!(histories().await, [0; 4]);
    assert_eq!(engine.get(TABLE, &key(2)).await.unwrap(), Some(session(2)));
    assert_eq!(engine.scrub().await.unwrap().damaged, []);
}
