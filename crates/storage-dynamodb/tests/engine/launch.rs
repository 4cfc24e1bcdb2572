//! Opens engines on the tables of this test process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use larder_storage::ManualClock;
use larder_storage_dynamodb::{AccessKey, DynamoEngine, DynamoOptions, tables};
use larder_storage_testkit::{EngineHarness, START, StoreHarness, seed};
use larder_test_servers::DynamoDbLocal;
use tokio::sync::OnceCell;

/// Options for DynamoDB Local, with more patience than a user has: many tests share one small machine.
pub(crate) fn options(endpoint: String, prefix: &str) -> DynamoOptions {
    DynamoOptions {
        region: Some("eu-central-1".to_owned()),
        endpoint: Some(endpoint),
        access_key: Some(AccessKey { id: "engine".to_owned(), secret: "none".to_owned() }),
        prefix: prefix.to_owned(),
        deadline: Duration::from_mins(1),
        attempt_timeout: Duration::from_secs(20),
        connect_timeout: Duration::from_secs(10),
        ..DynamoOptions::default()
    }
}

/// The same with tables that exist.
pub(crate) async fn with_tables(prefix: &str) -> DynamoOptions {
    let options = options(DynamoDbLocal::shared().endpoint(), prefix);
    tables::create(&options, |_| {}).await.unwrap();
    options
}

/// The tables shared by tests that use partitions of their own.
pub(crate) async fn shared_tables() -> DynamoOptions {
    static MADE: OnceCell<DynamoOptions> = OnceCell::const_new();
    MADE.get_or_init(|| with_tables("shared-")).await.clone()
}

pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(START))
}

pub(crate) async fn open(options: DynamoOptions, clock: &Arc<ManualClock>) -> DynamoEngine {
    DynamoEngine::open(options, Arc::clone(clock) as _).await.unwrap()
}

/// A number that no other test of this process has.
pub(crate) fn own_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) async fn engine() -> EngineHarness {
    let clock = clock();
    let engine = open(shared_tables().await, &clock).await;
    let namespace = format!("test{}", own_number());
    EngineHarness::new(Arc::new(engine), clock, namespace).refusing_empty_texts()
}

pub(crate) async fn store() -> StoreHarness {
    let clock = clock();
    let engine = Arc::new(open(shared_tables().await, &clock).await);
    let harness =
        StoreHarness::on_engine(engine, clock, seed().wrapping_add(own_number())).shared();
    // DynamoDB Local takes seconds for a hundred rounds of a race.
    if std::env::var_os("LARDER_TEST_FULL").is_some() {
        harness.with_rounds(200)
    } else {
        harness.with_rounds(40).reduced()
    }
}
