//! Random transactions give the same answers on every engine.

use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_item::{
    Action, Change, Committed, Condition, GSI1, JournalEntry, Key, Number, Query, Record,
    RecordEngine, Table, TransactError, Value,
};

use crate::engine_harness::{check, delete_when, key_of, put_when, update_when};
use crate::{EngineHarness, Random, ReferenceEngine, seed};

const STEPS: usize = 400;
const PARTITIONS: [&str; 2] = ["A", "B"];
const SORT_KEYS: [&str; 5] = ["1", "10", "2", "a", "é"];

/// The observable outcome.
#[derive(Debug, PartialEq)]
enum Outcome {
    Committed(Vec<Option<Record>>),
    Refused(usize, Option<Record>),
}

fn outcome(result: Result<Committed, TransactError>) -> Outcome {
    match result {
        Ok(committed) => Outcome::Committed(committed.images),
        Err(TransactError::ConditionFailed { action, current }) => {
            Outcome::Refused(action, current.map(|record| *record))
        }
        Err(TransactError::Storage(error)) => panic!("{error}"),
    }
}

struct Generator<'a> {
    h: &'a EngineHarness,
    random: Random,
}

impl Generator<'_> {
    fn small(&mut self) -> Number {
        Number::new(i128::try_from(self.random.below(7)).unwrap() - 3, -1).unwrap()
    }

    fn value(&mut self) -> Value {
        match self.random.below(3) {
            0 => Value::Null,
            1 => self.small().into(),
            _ => (*self.random.pick(&["x", "y"])).into(),
        }
    }

    fn conditions(&mut self) -> Vec<Condition> {
        let name = *self.random.pick(&["n", "v"]);
        match self.random.below(12) {
            0 => vec![Condition::Exists],
            1 => vec![Condition::NotExists],
            2 => vec![Condition::Equals(name.into(), self.value())],
            3 => vec![Condition::Absent(name.into())],
            4 => vec![Condition::AtLeast("n".into(), self.small())],
            5 => vec![Condition::Exists, Condition::AtMost("n".into(), self.small())],
            _ => vec![],
        }
    }

    /// Every change sets the step, so that no write is without effect.
    fn record(&mut self, key: &Key, step: usize) -> Record {
        let mut record = Record::new()
            .with("PK", key.pk.as_str())
            .with("SK", key.sk.as_str())
            .with("step", step.to_string())
            .with("v", self.value());
        if self.random.chance(50) {
            record.set("n", self.small());
        }
        if self.random.chance(50) {
            record.set("GSI1PK", self.h.partition("I"));
            record.set("GSI1SK", *self.random.pick(&["p", "q"]));
        }
        if self.random.chance(20) {
            let in_a_while = i64::try_from(self.random.below(60)).unwrap();
            record.set("ttl", Number::from(self.h.now().as_second() + in_a_while));
        }
        record
    }

    fn changes(&mut self, step: usize) -> Vec<Change> {
        let mut changes = vec![Change::Set("step".into(), step.to_string().into())];
        for _ in 0..self.random.below(4) {
            changes.push(match self.random.below(4) {
                0 => Change::Set("v".into(), self.value()),
                1 => Change::Remove((*self.random.pick(&["v", "GSI1SK", "ttl"])).into()),
                2 => Change::Set("GSI1SK".into(), (*self.random.pick(&["p", "r"])).into()),
                _ => Change::Add("n".into(), self.small()),
            });
        }
        changes
    }

    fn transaction(&mut self, step: usize) -> Vec<Action> {
        let mut keys: Vec<Key> = Vec::new();
        for _ in 0..=self.random.below(4) {
            let partition = *self.random.pick(&PARTITIONS);
            let key = self.h.key(partition, self.random.pick::<&str>(&SORT_KEYS));
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.into_iter()
            .map(|key| {
                let when = self.conditions();
                match self.random.below(6) {
                    0 | 1 => put_when(self.record(&key, step), when),
                    2 => delete_when(key, when),
                    3 => check(key, when),
                    _ => update_when(key, when, self.changes(step)),
                }
            })
            .collect()
    }
}

fn told(entry: JournalEntry) -> (Key, Option<Record>, Option<Record>) {
    (entry.key, entry.old, entry.new)
}

pub async fn r21_random_transactions_end_as_on_the_reference_engine(h: &EngineHarness) {
    let seed = seed();
    let clock = Arc::new(ManualClock::new(h.now()));
    let reference = EngineHarness::new(
        Arc::new(ReferenceEngine::new(Arc::clone(&clock) as _)),
        clock,
        h.partition(""),
    );
    let mut generator = Generator { h, random: Random::new(seed) };
    for step in 0..STEPS {
        let actions = generator.transaction(step);
        let expected = outcome(reference.transact(actions.clone()).await);
        let answer = outcome(h.transact(actions.clone()).await);
        assert_eq!(answer, expected, "seed {seed}, step {step}: {actions:?}");
        if generator.random.chance(20) {
            h.advance_seconds(5);
            reference.advance_seconds(5);
        }
    }
    for partition in PARTITIONS {
        let pk = h.partition(partition);
        compare(h, &**reference.engine(), &h.query(partition), seed).await;
        let table = Table::InventoryManagement;
        let journal = h.engine().journal_after(table, &pk, 0, 1000).await.unwrap();
        let expected = reference.engine().journal_after(table, &pk, 0, 1000).await.unwrap();
        let journal: Vec<_> = journal.into_iter().map(told).collect();
        assert_eq!(journal, expected.into_iter().map(told).collect::<Vec<_>>(), "seed {seed}");
    }
    compare(h, &**reference.engine(), &h.index_query(GSI1, "I"), seed).await;
}

/// The query answers the same on both, in either direction. The order of equal index keys is each engine's own.
async fn compare(h: &EngineHarness, reference: &dyn RecordEngine, query: &Query, seed: u64) {
    for forward in [true, false] {
        let query = Query { forward, ..query.clone() };
        let in_order = |mut records: Vec<Record>| {
            if let Some(index) = query.index {
                let sort = index.sk.expect("the index has a sort key");
                let group = |record: &Record| record.text(sort).map(str::to_owned);
                for equal in records.chunk_by_mut(|a, b| group(a) == group(b)) {
                    equal.sort_by_key(key_of);
                }
            }
            (seed, records)
        };
        let expected = in_order(reference.query(&query).await.unwrap().records);
        h.eventually(&expected, async || in_order(h.read_all(&query).await)).await;
    }
}
