//! The embedded store as the server runs it.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use larder_api::http::Metrics;
use larder_storage::{Clock, Store};
use larder_storage_embedded::{self as engine, EmbeddedEngine, EmbeddedOptions, OpenError};
use larder_storage_item::ItemStore;

use crate::config::{Durability, Settings};
use crate::store::{NotOpened, OpenStore};

/// A directory is there or it is not: nobody need be waited for.
impl From<OpenError> for NotOpened {
    fn from(error: OpenError) -> Self {
        Self::Refused(error.into())
    }
}

/// The engine and the ports over it.
pub(crate) struct Embedded {
    engine: Arc<EmbeddedEngine>,
    ports: Arc<dyn Store>,
}

/// Opens the store in a data directory.
pub(crate) fn open(
    directory: &Path,
    settings: &Settings,
    clock: Arc<dyn Clock>,
) -> Result<Embedded, OpenError> {
    let options = EmbeddedOptions {
        durability: match settings.durability {
            Durability::Full => engine::Durability::Full,
            Durability::Relaxed => engine::Durability::Relaxed,
        },
        journal_retention: settings.journal_retention(),
        ..EmbeddedOptions::default()
    };
    let engine = Arc::new(EmbeddedEngine::open(directory, Arc::clone(&clock), options)?);
    let ports = Arc::new(ItemStore::new(Arc::clone(&engine), clock));
    Ok(Embedded { engine, ports })
}

#[async_trait]
impl OpenStore for Embedded {
    fn ports(&self) -> Arc<dyn Store> {
        Arc::clone(&self.ports)
    }

    fn measure(&self, metrics: &Metrics) {
        type Read = fn(engine::Statistics) -> f64;
        #[expect(clippy::cast_precision_loss, reason = "gauges are floats, and 2^53 is far away")]
        let gauges: [(&str, &str, Read); 10] = [
            ("larder_store_commits", "Commits that reached the disk", |s| s.commits as f64),
            ("larder_store_transactions", "Transactions in those commits", |s| {
                s.transactions as f64
            }),
            ("larder_store_commit_seconds", "Time spent in commits", |s| {
                s.commit_time.as_secs_f64()
            }),
            ("larder_store_queue_depth", "Transactions that wait", |s| s.queue_depth as f64),
            ("larder_store_last_sequence", "The newest change", |s| s.last_sequence as f64),
            ("larder_store_file_bytes", "The size of the store", |s| s.file_bytes as f64),
            ("larder_store_readings", "Readings that were kept", |s| s.readings as f64),
            ("larder_store_pending_readings", "Readings that are not in their blocks yet", |s| {
                s.pending_readings as f64
            }),
            ("larder_store_pending_bytes", "What those take in memory, about", |s| {
                s.pending_bytes as f64
            }),
            (
                "larder_store_reading_merges",
                "How often a device's readings went into blocks",
                |s| s.reading_merges as f64,
            ),
        ];
        for (name, help, read) in gauges {
            let engine = Arc::downgrade(&self.engine);
            metrics.gauge(name, help, move || Some(read(engine.upgrade()?.statistics())));
        }
    }

    async fn sweep(&self) -> larder_storage::Result<String> {
        Ok(format!("{:?}", self.engine.sweep().await?))
    }

    async fn close(&self) {
        self.engine.close().await;
    }
}
