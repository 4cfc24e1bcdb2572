//! A store in DynamoDB as the server runs it.

use std::sync::Arc;

use async_trait::async_trait;
use larder_http::Metrics;
use larder_storage::{Clock, Store};
use larder_storage_dynamodb::tables::{self, TablesError};
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::ItemStore;

use crate::config::{DynamoDbAddress, Settings};
use crate::store::{NotOpened, OpenStore};

/// The engine and the ports over it.
pub(crate) struct DynamoDb {
    engine: Arc<DynamoEngine>,
    ports: Arc<dyn Store>,
}

/// The options of an address.
pub(crate) fn options(address: &DynamoDbAddress) -> DynamoOptions {
    DynamoOptions {
        region: address.region.clone(),
        endpoint: address.endpoint.clone(),
        prefix: address.prefix.clone(),
        ..DynamoOptions::default()
    }
}

/// Opens the store, if its tables can be reached.
pub(crate) async fn open(
    address: &DynamoDbAddress,
    settings: &Settings,
    clock: Arc<dyn Clock>,
) -> Result<DynamoDb, NotOpened> {
    let options = DynamoOptions {
        journal_retention: settings.journal_retention(),
        count_units: true,
        ..options(address)
    };
    // The engine opens without network access, so missing tables are detected here.
    let missing = tables::missing(&options).await.map_err(judge)?;
    if !missing.is_empty() {
        let sentence = format!(
            "the store {address} lacks the tables {}: run `larder tables create --store '{address}'`",
            missing.join(", ")
        );
        return Err(NotOpened::Refused(sentence.into()));
    }
    let engine = DynamoEngine::open(options, Arc::clone(&clock))
        .await
        .map_err(|error| NotOpened::Refused(error.into()))?;
    let engine = Arc::new(engine);
    let ports = Arc::new(ItemStore::new(Arc::clone(&engine), clock));
    Ok(DynamoDb { engine, ports })
}

/// Tells temporary errors from those that need an operator.
fn judge(error: TablesError) -> NotOpened {
    match error {
        // Credentials of a container or an instance may arrive a little later than the process
        // starts.
        TablesError::Unreachable { .. }
        | TablesError::NoCredentials { .. }
        | TablesError::Deadline { .. }
        | TablesError::Refused { .. } => NotOpened::Unreachable(error.to_string()),
        TablesError::Name { .. }
        | TablesError::NoRegion
        | TablesError::BadCredentials { .. }
        | TablesError::AccessDenied { .. } => NotOpened::Refused(error.into()),
    }
}

#[async_trait]
impl OpenStore for DynamoDb {
    fn ports(&self) -> Arc<dyn Store> {
        Arc::clone(&self.ports)
    }

    fn measure(&self, metrics: &Metrics) {
        type Read = fn(larder_storage_dynamodb::Consumed) -> f64;
        #[expect(clippy::cast_precision_loss, reason = "gauges are floats, and 2^53 is far away")]
        let gauges: [(&str, &str, Read); 3] = [
            ("larder_store_requests", "Requests to DynamoDB", |c| c.requests as f64),
            ("larder_store_read_units", "Read units consumed", |c| c.read_units),
            ("larder_store_write_units", "Write units consumed", |c| c.write_units),
        ];
        for (name, help, read) in gauges {
            let engine = Arc::downgrade(&self.engine);
            metrics.gauge(name, help, move || Some(read(engine.upgrade()?.consumed())));
        }
    }

    /// DynamoDB deletes expired records itself.
    fn needs_sweeping(&self) -> bool {
        false
    }

    async fn sweep(&self) -> larder_storage::Result<String> {
        Ok("by time to live".to_owned())
    }

    /// No connection is held between requests, and the engine's tasks end with it.
    async fn close(&self) {}
}
