//! Both suites on the embedded engine, with exact and with lagging indexes, and its additional
//! guarantees.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

mod embedded {
    mod damage;
    mod launch;
    mod reopening;
    mod retention;
    mod telemetry;

    use larder_storage_testkit::{EngineHarness, StoreHarness};

    async fn exact_engine() -> EngineHarness {
        launch::exact().engine_harness()
    }

    async fn lagging_engine() -> EngineHarness {
        launch::lagging().engine_harness()
    }

    async fn exact_store() -> StoreHarness {
        launch::exact().store_harness()
    }

    async fn lagging_store() -> StoreHarness {
        launch::lagging().store_harness()
    }

    mod exact {
        mod record_engine {
            larder_storage_testkit::record_engine_conformance!(crate::embedded::exact_engine);
        }
        mod ports {
            larder_storage_testkit::store_conformance!(crate::embedded::exact_store);
        }
    }

    mod lagging_index {
        mod record_engine {
            larder_storage_testkit::record_engine_conformance!(crate::embedded::lagging_engine);
        }
        mod ports {
            larder_storage_testkit::store_conformance!(crate::embedded::lagging_store);
        }
    }
}
