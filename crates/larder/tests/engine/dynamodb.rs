//! Stores on DynamoDB Local.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use larder_test_servers::DynamoDbLocal;

use super::{Scale, larder};
use crate::it::support::FreshStore;

/// Smaller than elsewhere: DynamoDB Local is slow.
pub(super) const SCALE: Scale = Scale {
    resent_readings: 320,
    deleted_tree: 500,
    deleted_memberships: 250,
    cycle_rounds: 100,
    upcast_resources: 300,
    // Conflicting transactions are retried until the engine's deadline. None was refused in seven
    // measured rounds on a busy machine; the rest is a margin for a stall.
    refused_of_64_writes: 4,
};

/// DynamoDB Local accepts any credentials, but requires some.
const CREDENTIALS: &[(&str, &str)] =
    &[("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")];

/// Tables of their own on the server that all tests share.
pub(super) async fn fresh_store(scratch: &Path) -> FreshStore {
    make_tables(DynamoDbLocal::shared().address(), scratch).await
}

async fn make_tables(address: SocketAddr, scratch: &Path) -> FreshStore {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    // DynamoDB Local has one queue per region, so that a busy test delays only itself.
    let setting = format!("dynamodb:?region=it-{number}&endpoint=http://{address}&prefix=it-");
    let store = FreshStore { setting, environment: CREDENTIALS };
    larder(&["tables", "create", "--store", &store.setting], store.environment, scratch).await;
    store
}

/// A server of one test, which may kill it, with tables.
pub(super) async fn killable(scratch: &Path) -> (DynamoDbLocal, FreshStore) {
    let files = scratch.join("dynamodb");
    std::fs::create_dir(&files).unwrap();
    let engine = DynamoDbLocal::start_in(&files);
    let store = make_tables(engine.address(), scratch).await;
    (engine, store)
}
