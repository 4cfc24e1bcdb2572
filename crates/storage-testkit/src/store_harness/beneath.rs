//! The records under a store, for tests that interrupt its work or corrupt its data.

use std::collections::BTreeSet;
use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_item::{
    Action, ItemStore, MAX_QUERY_LIMIT, ReadingEngine, Record, RecordEngine, Table, Transaction,
};

use super::StoreHarness;
use crate::golden::Recorder;

/// A record engine that can be stopped between two transactions.
pub(super) trait Beneath: RecordEngine {
    /// Commits this many transactions and fails the following ones; `None` ends it.
    fn allow(&self, transactions: Option<usize>);
}

impl<E: RecordEngine> Beneath for Recorder<E> {
    fn allow(&self, transactions: Option<usize>) {
        Self::allow(self, transactions);
    }
}

/// What was found of some texts.
struct Traces<'a> {
    texts: &'a [String],
    found: Vec<String>,
}

impl Traces<'_> {
    fn look(&mut self, place: &str, record: &Record) {
        for (name, value) in record.iter() {
            // Lower case, in which ids are written.
            self.look_at(place, &format!("{name}={value:?}").to_lowercase());
        }
    }

    fn look_at(&mut self, place: &str, content: &str) {
        if self.texts.iter().any(|text| content.contains(&text.to_lowercase())) {
            self.found.push(format!("{place}: {content}"));
        }
    }
}

/// Whether changes in this partition are journaled for somebody.
fn is_owners(pk: &str) -> bool {
    pk.starts_with("FAMILY#") || pk.starts_with("USER#")
}

impl StoreHarness {
    /// The ports over a record engine, which lets the suite interrupt work.
    pub fn on_engine<E: RecordEngine + ReadingEngine>(
        engine: Arc<E>,
        clock: Arc<ManualClock>,
        seed: u64,
    ) -> Self {
        let recorder = Arc::new(Recorder::new(engine));
        let store = ItemStore::new(Arc::clone(&recorder), Arc::clone(&clock) as _);
        let harness = Self::new(Arc::new(store), clock, seed);
        Self { beneath: Some(recorder), ..harness }
    }

    /// Runs work and interrupts it after this many transactions, like a kill of the process. A
    /// store that does everything in one transaction is not interrupted.
    pub(crate) async fn stopped_after<T>(
        &self,
        transactions: usize,
        doing: impl Future<Output = T>,
    ) -> T {
        let allow = |transactions| {
            if let Some(beneath) = &self.beneath {
                beneath.allow(transactions);
            }
        };
        allow(Some(transactions));
        let outcome = doing.await;
        allow(None);
        outcome
    }

    /// Whether work of more than one transaction can be stopped midway.
    pub(crate) fn can_be_stopped(&self) -> bool {
        self.beneath.is_some()
    }

    /// Everything in the store that contains one of these texts: records, and the changes of every
    /// partition that has records or is named by one of the texts.
    pub(crate) async fn traces_of(&self, texts: &[String]) -> Vec<String> {
        let Some(engine) = &self.beneath else {
            return self.traces_past_ports(texts).await;
        };
        let mut traces = Traces { texts, found: Vec::new() };
        let mut partitions: BTreeSet<String> = BTreeSet::new();
        for text in texts {
            partitions.extend(["FAMILY", "USER", "NONCE"].map(|kind| format!("{kind}#{text}")));
        }
        for table in Table::ALL {
            let mut after = None;
            loop {
                let page = engine.scan(table, after.as_ref(), MAX_QUERY_LIMIT).await.unwrap();
                for record in &page.records {
                    traces.look(table.name(), record);
                    if let Some(key) = table.key_of(record).filter(|key| is_owners(&key.pk)) {
                        partitions.insert(key.pk);
                    }
                }
                match page.next {
                    Some(next) => after = Some(next),
                    None => break,
                }
            }
        }
        for pk in partitions {
            let mut after = 0;
            loop {
                let table = Table::InventoryManagement;
                let entries = engine.journal_after(table, &pk, after, MAX_QUERY_LIMIT).await;
                let entries = entries.unwrap();
                let Some(last) = entries.last() else { break };
                after = last.sequence;
                for entry in &entries {
                    let place = format!("journal of {pk} {}", entry.key.sk);
                    traces.look_at(&place, &place);
                    for image in [&entry.old, &entry.new].into_iter().flatten() {
                        traces.look(&place, image);
                    }
                }
            }
        }
        traces.found
    }

    /// Writes past the layouts. `false` for stores without records.
    pub(crate) async fn spoil(&self, actions: Vec<Action>) -> bool {
        let Some(engine) = &self.beneath else { return false };
        let transaction = Transaction { actor: "nobody".to_owned(), at: self.now(), actions };
        engine.transact(transaction).await.unwrap();
        true
    }
}
