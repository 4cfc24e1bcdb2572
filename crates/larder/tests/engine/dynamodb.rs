//! Fresh stores on DynamoDB Local.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use larder_test_servers::DynamoDbLocal;

use crate::it::support::FreshStore;
use crate::remote::larder;

/// DynamoDB Local takes any credentials, but wants some.
const CREDENTIALS: &[(&str, &str)] =
    &[("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")];

/// How many readings everybody resends while the server is killed. Fewer than on the other engines: DynamoDB Local takes its time.
pub(crate) const RESENT_READINGS: usize = 320;

/// How large the tree is that is deleted while the server is killed, and how many memberships name what is in it.
pub(crate) const DELETED_TREE: usize = 500;
pub(crate) const DELETED_MEMBERSHIPS: usize = 250;

/// How often two try to move two resources under each other.
pub(crate) const CYCLE_ROUNDS: usize = 100;

/// How many resources are brought into their newest shape by a command that is killed midway.
pub(crate) const UPCAST_RESOURCES: usize = 300;

/// Tables of their own on the server that all tests share.
pub(crate) async fn fresh_store(scratch: &Path) -> FreshStore {
    make_tables(DynamoDbLocal::shared().address(), scratch).await
}

async fn make_tables(address: SocketAddr, scratch: &Path) -> FreshStore {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let setting =
        format!("dynamodb:?region=eu-central-1&endpoint=http://{address}&prefix=it{number}-");
    let store = FreshStore { setting, environment: CREDENTIALS };
    larder(&["tables", "create", "--store", &store.setting], store.environment, scratch).await;
    store
}

/// Where the engine of [`fresh_store`] listens.
pub(crate) fn shared_address() -> SocketAddr {
    DynamoDbLocal::shared().address()
}

/// The engine of one test, which may kill it, with tables.
pub(crate) async fn killable(scratch: &Path) -> (DynamoDbLocal, FreshStore) {
    let files = scratch.join("dynamodb");
    std::fs::create_dir(&files).unwrap();
    let engine = DynamoDbLocal::start_in(&files);
    let store = make_tables(engine.address(), scratch).await;
    (engine, store)
}
