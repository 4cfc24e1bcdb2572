//! Stores on DynamoDB Local.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use larder_test_servers::DynamoDbLocal;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{Scale, larder};
use crate::it::support::FreshStore;

/// DynamoDB Local takes most of the time of a whole run, so everyday runs do less on it.
pub(super) const SCALE: Scale = Scale {
    taps: 120,
    kill_rounds: 3,
    version_races: 25,
    resent_readings: 120,
    deleted_tree: 160,
    deleted_memberships: 80,
    cycle_rounds: 20,
    upcast_resources: 150,
    ..FULL_SCALE
};

/// Smaller than elsewhere: DynamoDB Local is slow.
pub(super) const FULL_SCALE: Scale = Scale {
    taps: 1_000,
    kill_rounds: 12,
    version_races: 200,
    resent_readings: 320,
    deleted_tree: 500,
    deleted_memberships: 250,
    cycle_rounds: 100,
    upcast_resources: 300,
    // Conflicting transactions are retried until the engine's deadline. None was refused in seven
    // measured rounds on a busy machine; the rest is a margin for a stall.
    refused_of_64_writes: 4,
};

const PREFIX: &str = "it-";

/// DynamoDB Local accepts any credentials, but requires some.
const CREDENTIALS: &[(&str, &str)] =
    &[("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")];

/// Tables of their own on the server that all tests share.
///
/// They are created as declared, but not by `larder tables create`, which also verifies each and so
/// asks five times as much. Engines that may be killed get theirs from it.
pub(super) async fn fresh_store(scratch: &Path) -> FreshStore {
    static DECLARED: OnceCell<Vec<Value>> = OnceCell::const_new();
    let declared = DECLARED.get_or_init(|| declaration(scratch)).await;
    let (tables, store) = unmade(DynamoDbLocal::shared().address());
    for table in declared {
        let created = tables.call("CreateTable", table).expect("DynamoDB Local answers");
        assert!(created.get("TableDescription").is_some(), "{created}");
    }
    FreshStore { _tables: Some(tables), ..store }
}

/// The requests that create the tables.
async fn declaration(scratch: &Path) -> Vec<Value> {
    let store = format!("dynamodb:?prefix={PREFIX}");
    let described =
        larder(&["tables", "describe", "--json", "--store", &store], &[], scratch).await;
    serde_json::from_str(&described).expect("the declaration is JSON")
}

/// A server of one test, which may kill it, with tables.
pub(super) async fn killable(scratch: &Path) -> (DynamoDbLocal, FreshStore) {
    let files = scratch.join("dynamodb");
    std::fs::create_dir(&files).unwrap();
    let engine = DynamoDbLocal::start_in(&files);
    let (_, store) = unmade(engine.address());
    larder(&["tables", "create", "--store", &store.setting], store.environment, scratch).await;
    (engine, store)
}

/// A store whose tables do not exist yet.
fn unmade(address: SocketAddr) -> (Tables, FreshStore) {
    static MADE: AtomicU32 = AtomicU32::new(0);
    // DynamoDB Local has one queue per region, so that a busy test delays only itself.
    let region = format!("it-{}", MADE.fetch_add(1, Ordering::Relaxed));
    let setting = format!("dynamodb:?region={region}&endpoint=http://{address}&prefix={PREFIX}");
    let store = FreshStore { setting, environment: CREDENTIALS, _tables: None };
    (Tables { address, region }, store)
}

/// The tables of one test, deleted with its store: DynamoDB Local keeps examining all that it has.
pub(crate) struct Tables {
    address: SocketAddr,
    region: String,
}

impl Drop for Tables {
    fn drop(&mut self) {
        // A failure leaves tables behind, which matters to no one but the clock.
        let Ok(answer) = self.call("ListTables", &json!({})) else { return };
        for name in answer["TableNames"].as_array().into_iter().flatten() {
            _ = self.call("DeleteTable", &json!({ "TableName": name }));
        }
    }
}

impl Tables {
    /// A request with a signature that DynamoDB Local does not verify; it only reads the region.
    fn call(&self, operation: &str, body: &Value) -> io::Result<Value> {
        let Self { address, region } = self;
        let body = body.to_string();
        let mut stream = TcpStream::connect(address)?;
        write!(
            stream,
            "POST / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20260101T000000Z\r\n\
             X-Amz-Target: DynamoDB_20120810.{operation}\r\nAuthorization: AWS4-HMAC-SHA256 \
             Credential=test/20260101/{region}/dynamodb/aws4_request, SignedHeaders=host, \
             Signature=none\r\nContent-Length: {}\r\n\r\n{body}",
            body.len(),
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
        Ok(serde_json::from_str(body)?)
    }
}
