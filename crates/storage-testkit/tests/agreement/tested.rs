//! A store under random sequences, which can be interrupted between two transactions if it has
//! records.

use std::sync::Arc;

use larder_storage::{ManualClock, Store};
use larder_storage_item::{ItemStore, ReadingEngine, RecordEngine};
use larder_storage_testkit::golden::Recorder;

/// Records under a store that can be stopped between two transactions.
pub(super) trait Stoppable: RecordEngine {
    /// Commits this many transactions and fails the following ones; `None` ends it.
    fn allow(&self, transactions: Option<usize>);
}

impl<E: RecordEngine> Stoppable for Recorder<E> {
    fn allow(&self, transactions: Option<usize>) {
        Self::allow(self, transactions);
    }
}

/// A store that can be reopened, as after a kill.
pub(super) struct Tested {
    pub(super) name: &'static str,
    open: Box<dyn Fn() -> Arc<dyn Store> + Send + Sync>,
    pub(super) records: Option<Arc<dyn Stoppable>>,
}

impl Tested {
    /// A store without interruptions.
    pub(super) fn as_is(name: &'static str, store: &Arc<dyn Store>) -> Self {
        let store = Arc::clone(store);
        Self { name, open: Box::new(move || Arc::clone(&store)), records: None }
    }

    /// A store over records, in transactions of no more actions than this.
    pub(super) fn over<E: RecordEngine + ReadingEngine>(
        name: &'static str,
        engine: Arc<E>,
        clock: &Arc<ManualClock>,
        most_actions: usize,
    ) -> Self {
        let recorder = Arc::new(Recorder::new(engine).taking(most_actions));
        let (records, clock) = (Arc::clone(&recorder), Arc::clone(clock));
        let open = move || {
            let (recorder, clock) = (Arc::clone(&recorder), Arc::clone(&clock));
            Arc::new(ItemStore::new(recorder, clock)) as Arc<dyn Store>
        };
        Self { name, open: Box::new(open), records: Some(records) }
    }

    pub(super) fn open(&self) -> Arc<dyn Store> {
        (self.open)()
    }
}
