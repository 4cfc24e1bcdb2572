//! The embedded store as the server runs it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use async_trait::async_trait;
use larder_http::Metrics;
use larder_storage::{Clock, Store};
use larder_storage_embedded::{
    self as engine, DATABASE, EmbeddedEngine, EmbeddedOptions, OpenError,
};
use larder_storage_item::ItemStore;

use crate::config::{Durability, Settings};
use crate::secrets;
use crate::store::{NotOpened, OpenStore, Refusal};

/// A local directory exists or not, so retrying is pointless.
impl From<OpenError> for NotOpened {
    fn from(error: OpenError) -> Self {
        Self::Refused(error.into())
    }
}

/// The engine and the ports over it.
pub(crate) struct Embedded {
    directory: PathBuf,
    engine: Arc<EmbeddedEngine>,
    ports: Arc<dyn Store>,
}

/// The disk is not mounted, or the file was lost: a new empty store would look like data loss.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database {} is missing or empty, but {} holds the secrets of a server that has run before: mount the disk \
     that the database is on, or restore a backup; to start with an empty store, move {} away first",
    database.display(), secrets.display(), secrets.display()
)]
pub(crate) struct DatabaseMissing {
    database: PathBuf,
    secrets: PathBuf,
}

/// Refuses a directory without its database if secret files show that a server has run before.
/// Secrets in the environment prove nothing.
pub(crate) fn refuse_missing_database(
    directory: &Path,
    settings: &Settings,
) -> Result<(), DatabaseMissing> {
    match secrets::find_made(settings.data_directory()) {
        Some(secrets) if !has_database(directory) => {
            Err(DatabaseMissing { database: directory.join(DATABASE), secrets })
        }
        _ => Ok(()),
    }
}

/// The same, and creates the database of a new store: before its secrets, so that an interrupted
/// first start does not make the next one refuse.
pub(crate) fn prepare(
    directory: &Path,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Result<(), Refusal> {
    refuse_missing_database(directory, settings)?;
    if !has_database(directory) {
        open(directory, settings, Arc::clone(clock))?;
    }
    Ok(())
}

/// Whether there is a database, or something else that only opening it can judge.
fn has_database(directory: &Path) -> bool {
    match fs::metadata(directory.join(DATABASE)) {
        Ok(file) => file.len() > 0,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
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
    Ok(Embedded { directory: directory.to_owned(), engine, ports })
}

/// Whether others than the owner may read the database: its file, through its directory.
fn is_exposed(directory: &Path) -> io::Result<bool> {
    let mode = |path: &Path| fs::metadata(path).map(|file| file.permissions().mode());
    let (directory, file) = (mode(directory)?, mode(&directory.join(DATABASE))?);
    // Of the group, and of everybody else: entering the directory is 1, reading the file is 4.
    Ok([3, 0].into_iter().any(|class| (directory >> class) & 1 != 0 && (file >> class) & 4 != 0))
}

#[async_trait]
impl OpenStore for Embedded {
    fn ports(&self) -> Arc<dyn Store> {
        Arc::clone(&self.ports)
    }

    fn log_opening(&self) {
        if let Some(format) = self.engine.upgraded_from() {
            tracing::info!(from = format, "store upgraded to the format of this version");
        }
        // It has just been opened; if its mode cannot be read, nothing is known to be wrong.
        if is_exposed(&self.directory).unwrap_or(false) {
            let remedy = format!("chmod -R go= {}", self.directory.display());
            tracing::warn!(remedy, "store readable by other users of this machine");
        }
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

    async fn maintain(&self) -> larder_storage::Result<()> {
        self.engine.forget_idle_watchers();
        Ok(())
    }

    async fn close(&self) {
        self.engine.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_exposed_if_others_can_reach_and_read_it() {
        let directory = tempfile::tempdir().unwrap();
        let database = directory.path().join(DATABASE);
        fs::write(&database, "").unwrap();
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for (outer, inner, expected) in [
            (0o700, 0o600, false),
            (0o755, 0o600, false),
            (0o700, 0o644, false),
            (0o755, 0o644, true),
            (0o750, 0o640, true),
            (0o701, 0o604, true),
            (0o710, 0o604, false),
        ] {
            set(&database, inner);
            set(directory.path(), outer);
            assert_eq!(is_exposed(directory.path()).unwrap(), expected, "{outer:o} {inner:o}");
        }
        set(directory.path(), 0o700);
        fs::remove_file(&database).unwrap();
        assert!(is_exposed(directory.path()).is_err());
    }
}
