//! Both suites on the reference engine, which proves that they can be satisfied.

use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_testkit::{EngineHarness, ReferenceEngine, START, StoreHarness, seed};

fn fresh() -> (Arc<ReferenceEngine>, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(START));
    (Arc::new(ReferenceEngine::new(Arc::clone(&clock) as _)), clock)
}

async fn engine() -> EngineHarness {
    let (engine, clock) = fresh();
    EngineHarness::new(engine, clock, "test")
}

async fn store() -> StoreHarness {
    let (engine, clock) = fresh();
    StoreHarness::on_engine(engine, clock, seed())
}

mod record_engine {
    larder_storage_testkit::record_engine_conformance!(crate::engine);
}

mod ports {
    larder_storage_testkit::store_conformance!(crate::store);
}
