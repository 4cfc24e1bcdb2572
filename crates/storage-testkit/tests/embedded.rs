//! Both suites on the embedded engine, exact and with indexes that lag, and what it promises beyond them.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

mod embedded {
    mod damage;
    mod launch;
    mod reopening;
    mod retention;
    mod telemetry;

    use larder_storage_embedded::IndexDelay;
    use larder_storage_testkit::{EngineHarness, StoreHarness};

    /// Index reads that see the state of seven transactions ago.
    const LATE: IndexDelay = IndexDelay::Transactions(7);

    async fn exact_engine() -> EngineHarness {
        launch::engine(IndexDelay::None)
    }

    async fn late_engine() -> EngineHarness {
        launch::engine(LATE)
    }

    async fn exact_store() -> StoreHarness {
        launch::store(IndexDelay::None)
    }

    async fn late_store() -> StoreHarness {
        launch::store(LATE)
    }

    mod exact {
        mod record_engine {
            larder_storage_testkit::record_engine_conformance!(crate::embedded::exact_engine);
        }
        mod ports {
            larder_storage_testkit::store_conformance!(crate::embedded::exact_store);
        }
    }

    mod delayed_index {
        mod record_engine {
            larder_storage_testkit::record_engine_conformance!(crate::embedded::late_engine);
        }
        mod ports {
            larder_storage_testkit::store_conformance!(crate::embedded::late_store);
        }
    }
}
