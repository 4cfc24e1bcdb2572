//! A store in PostgreSQL as the server runs it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use larder_http::Metrics;
use larder_storage::{Clock, Store};
use larder_storage_postgres::{OpenError, PostgresOptions, PostgresStore, Statistics};

use crate::config::{Pooler, PostgresUrl, Settings};
use crate::store::{NotOpened, OpenStore};

/// How long connections may take to finish when the server stops.
const CLOSING: Duration = Duration::from_secs(2);

/// The store, which is its own ports.
pub(crate) struct Postgres {
    store: Arc<PostgresStore>,
}

/// Opens the store, if its server is reachable and safe to serve from.
pub(crate) async fn open(
    url: &PostgresUrl,
    settings: &Settings,
    clock: Arc<dyn Clock>,
) -> Result<Postgres, NotOpened> {
    let told = settings.postgres;
    let options = PostgresOptions {
        min_connections: told.pool_min,
        max_connections: told.pool_max,
        statement_timeout: told.statement_timeout,
        lock_timeout: told.lock_timeout,
        journal_retention: settings.journal_retention(),
        reading_retention: settings.reading_retention(),
        through_pooler: told.pooler == Pooler::Transaction,
        ..PostgresOptions::new(url.expose())
    };
    let store = PostgresStore::open(options, clock).await?;
    Ok(Postgres { store: Arc::new(store) })
}

impl From<OpenError> for NotOpened {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Unreachable(reason) => Self::Unreachable(reason),
            refusal @ OpenError::Refused(_) => Self::Refused(refusal.into()),
        }
    }
}

#[async_trait]
impl OpenStore for Postgres {
    fn ports(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store) as Arc<dyn Store>
    }

    fn measure(&self, metrics: &Metrics) {
        type Read = fn(Statistics) -> f64;
        #[expect(clippy::cast_precision_loss, reason = "gauges are floats, and 2^53 is far away")]
        let gauges: [(&str, &str, Read); 3] = [
            ("larder_store_connections", "Connections to PostgreSQL", |s| s.connections.into()),
            ("larder_store_idle_connections", "Of these, idle", |s| s.idle_connections as f64),
            ("larder_store_watched_inventories", "Inventories with listeners", |s| {
                s.watched_inventories as f64
            }),
        ];
        for (name, help, read) in gauges {
            let store = Arc::downgrade(&self.store);
            metrics.gauge(name, help, move || Some(read(store.upgrade()?.statistics())));
        }
    }

    async fn sweep(&self) -> larder_storage::Result<String> {
        Ok(format!("{:?}", self.store.sweep().await?))
    }

    async fn maintain(&self) -> larder_storage::Result<()> {
        self.store.make_weeks().await
    }

    async fn close(&self) {
        // The connection of an aborted request is not returned to the pool; the server closes it.
        if tokio::time::timeout(CLOSING, self.store.close()).await.is_err() {
            tracing::warn!("PostgreSQL connections closed");
        }
    }
}
