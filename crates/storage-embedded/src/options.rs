//! Options of a store, and why opening one fails.

use std::path::PathBuf;
use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

/// How a store behaves.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedOptions {
    /// The durability of acknowledged writes.
    pub durability: Durability,
    /// Retention of the journal.
    pub journal_retention: SignedDuration,
    /// The buffer for readings that are not in their blocks yet.
    pub reading_buffer: ReadingBuffer,
}

/// Readings are logged at once and merged into their blocks later, many of a device together. Until
/// then they are also in memory.
#[derive(Debug, Clone, Copy)]
pub struct ReadingBuffer {
    /// Approximately how much memory it may take. When it is half full, each commit merges as much
    /// as it adds.
    pub bytes: usize,
    /// How long the store must be idle before the rest is merged. Long enough not to take a short
    /// pause under load for idleness.
    pub idle: Duration,
}

impl Default for ReadingBuffer {
    fn default() -> Self {
        Self { bytes: 4 * 1024 * 1024, idle: Duration::from_millis(100) }
    }
}

impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            journal_retention: SignedDuration::from_hours(35 * 24),
            reading_buffer: ReadingBuffer::default(),
        }
    }
}

/// The durability of acknowledged writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A crash of the process, of the operating system, and a loss of power.
    Full,
    /// A crash of the process. A loss of power may lose the last commits, but never half a
    /// transaction.
    Relaxed,
}

/// Why a store cannot be opened. Each message is one sentence that a person can act on.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("the data directory {} is in use by another process; stop that one first", .0.display())]
    Locked(PathBuf),
    /// Written by a later version.
    #[error(
        "the store {} has format {found}, but this version of Larder knows no later one than {known}; install a newer Larder",
        path.display()
    )]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The latest supported format.
        known: i64,
    },
    /// Some other file.
    #[error("{} is not a Larder store; choose another directory or move the file away", .0.display())]
    NotAStore(PathBuf),
    /// The structure of the store is damaged, so that nothing in it can be trusted.
    #[error("the store {} is damaged ({reason}); restore it from a backup", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        reason: String,
    },
    /// The file system or SQLite refused.
    #[error("cannot open the store {}: {reason}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Their error.
        reason: String,
    },
}
