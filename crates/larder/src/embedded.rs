//! The embedded store as the server runs it: opened by settings, measured, swept.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use larder_api::http::Metrics;
use larder_storage::Clock;
use larder_storage_embedded::{self as engine, EmbeddedEngine, EmbeddedOptions, OpenError};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::config::{Durability, Settings};

/// How often expired records are looked for. They are hidden at once; this only frees their space.
const SWEEP_EVERY: Duration = Duration::from_mins(1);

/// Opens the store in a data directory.
pub(crate) fn open(
    directory: &Path,
    settings: &Settings,
    clock: Arc<dyn Clock>,
) -> Result<Arc<EmbeddedEngine>, OpenError> {
    let options = EmbeddedOptions {
        durability: match settings.durability {
            Durability::Full => engine::Durability::Full,
            Durability::Relaxed => engine::Durability::Relaxed,
        },
        journal_retention: SignedDuration::from_hours(24 * i64::from(settings.journal_days)),
        ..EmbeddedOptions::default()
    };
    EmbeddedEngine::open(directory, clock, options).map(Arc::new)
}

/// Shows what the store counts about itself at `/metrics`.
pub(crate) fn measure(engine: &Arc<EmbeddedEngine>, metrics: &Metrics) {
    type Read = fn(engine::Statistics) -> f64;
    #[expect(clippy::cast_precision_loss, reason = "gauges are floats, and 2^53 is far away")]
    let gauges: [(&str, &str, Read); 6] = [
        ("larder_store_commits", "Commits that reached the disk", |s| s.commits as f64),
        ("larder_store_transactions", "Transactions in those commits", |s| s.transactions as f64),
        ("larder_store_commit_seconds", "Time spent in commits", |s| s.commit_time.as_secs_f64()),
        ("larder_store_queue_depth", "Transactions that wait", |s| s.queue_depth as f64),
        ("larder_store_last_sequence", "The newest change", |s| s.last_sequence as f64),
        ("larder_store_file_bytes", "The size of the store", |s| s.file_bytes as f64),
    ];
    for (name, help, read) in gauges {
        let engine = Arc::downgrade(engine);
        metrics.gauge(name, help, move || Some(read(engine.upgrade()?.statistics())));
    }
}

/// Deletes what has expired, now and then, until the server stops.
pub(crate) async fn sweep_until(engine: Arc<EmbeddedEngine>, mut stopping: watch::Receiver<bool>) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
        match engine.sweep().await {
            Ok(swept) => tracing::debug!(?swept, "swept"),
            Err(error) => tracing::error!(%error, "sweeping expired records failed"),
        }
    }
}
