//! A catalog in a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use larder_app::{BarcodeCatalog, CatalogEntry};
use larder_domain::Gtin;

use crate::import::import;
use crate::index::{DumpStamp, Index};
use crate::{ImportError, ImportReport};

/// How often the dump is checked for changes. A check reads its size and time only.
const CHECKED_EVERY: Duration = Duration::from_mins(1);

/// A local dump of Open Food Facts, looked up in an index file. Until the index is there, it knows
/// no barcodes.
pub struct FileCatalog {
    dump: PathBuf,
    index: PathBuf,
    current: RwLock<Option<Arc<Index>>>,
}

/// The outcome of a check for changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// The dump is the same.
    Unchanged,
    /// There was an index of this dump, with so many barcodes.
    Opened(u64),
    /// The dump was read.
    Imported(ImportReport),
    /// Another process reads it at the moment.
    Busy,
}

impl FileCatalog {
    /// The catalog of a dump, with its index in a directory that is created if it is missing.
    pub fn new(dump: &Path, directory: &Path) -> Self {
        let index = directory.join("barcode-catalog.index");
        Self { dump: dump.to_owned(), index, current: RwLock::default() }
    }

    /// Reads the dump if it is new or has changed. Barcodes are looked up in the previous index
    /// meanwhile.
    pub fn refresh(&self, progress: impl FnMut(&ImportReport)) -> Result<Refresh, ImportError> {
        let stamp = DumpStamp::of(&fs::metadata(&self.dump)?);
        if self.current().is_some_and(|index| index.stamp == stamp) {
            return Ok(Refresh::Unchanged);
        }
        if let Some(count) = self.open(stamp)? {
            return Ok(Refresh::Opened(count));
        }
        if let Some(directory) = self.index.parent() {
            fs::create_dir_all(directory)?;
        }
        let unfinished = self.index.with_extension("unfinished");
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&unfinished)?;
        match file.try_lock() {
            Ok(()) => file.set_len(0)?,
            Err(TryLockError::WouldBlock) => return Ok(Refresh::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let report = import(File::open(&self.dump)?, file.try_clone()?, progress);
        let report = report.inspect_err(|_| {
            // A failure leaves a file behind that the next attempt empties.
            let _ = fs::remove_file(&unfinished);
        })?;
        fs::rename(&unfinished, &self.index)?;
        self.open(stamp)?;
        Ok(Refresh::Imported(report))
    }

    /// Checks for changes now and then on a thread of its own, until the catalog is dropped. A
    /// thread and not a task: a server that stops does not wait for an import.
    pub fn keep_fresh(self: &Arc<Self>) -> io::Result<()> {
        let catalog = Arc::downgrade(self);
        thread::Builder::new().name("barcode-catalog".to_owned()).spawn(move || keep(&catalog))?;
        Ok(())
    }

    fn current(&self) -> Option<Arc<Index>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Uses the index file if it belongs to this state of the dump; returns its size.
    fn open(&self, stamp: DumpStamp) -> io::Result<Option<u64>> {
        let file = match File::open(&self.index) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(index) = Index::open(file, stamp)? else { return Ok(None) };
        let count = index.count;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(index));
        Ok(Some(count))
    }
}

fn keep(catalog: &Weak<FileCatalog>) {
    let mut fails = false;
    while let Some(catalog) = catalog.upgrade() {
        let progress = |report: &ImportReport| {
            tracing::info!(rows = report.rows, "barcode catalog import in progress");
        };
        match catalog.refresh(progress) {
            Ok(Refresh::Imported(ImportReport { rows, skipped, barcodes })) => {
                tracing::info!(rows, skipped, barcodes, "barcode catalog imported");
            }
            Ok(Refresh::Opened(barcodes)) => tracing::info!(barcodes, "barcode catalog opened"),
            Ok(Refresh::Busy) => tracing::debug!("barcode catalog busy, will retry"),
            Ok(Refresh::Unchanged) => {}
            Err(error) => {
                // Logged once, not at each attempt.
                if !fails {
                    tracing::warn!(%error, "barcode catalog not readable, will retry");
                }
                fails = true;
                drop(catalog);
                thread::sleep(CHECKED_EVERY);
                continue;
            }
        }
        fails = false;
        drop(catalog);
        thread::sleep(CHECKED_EVERY);
    }
}

#[async_trait]
impl BarcodeCatalog for FileCatalog {
    async fn find(&self, gtin: Gtin) -> Option<CatalogEntry> {
        let index = self.current()?;
        let found = tokio::task::spawn_blocking(move || index.find(gtin)).await;
        match found.map_err(io::Error::other).flatten() {
            Ok(entry) => entry,
            Err(error) => {
                tracing::warn!(%error, "barcode catalog not readable");
                None
            }
        }
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
