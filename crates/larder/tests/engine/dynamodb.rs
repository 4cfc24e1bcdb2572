//! Stores on DynamoDB Local.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use larder_test_servers::DynamoDbLocal;
use serde_json::{Value, json};

use super::{Scale, larder};
use crate::it::support::FreshStore;

/// DynamoDB Local takes most of the time of a whole run, so everyday runs do less on it.
pub(super) const SCALE: Scale = Scale {
    taps: 250,
    kill_rounds: 4,
    version_races: 50,
    resent_readings: 160,
    cycle_rounds: 40,
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
    let tables = Tables { address, region: format!("it-{number}") };
    let store = FreshStore { setting, environment: CREDENTIALS, _tables: Some(tables) };
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
