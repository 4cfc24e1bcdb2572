//! Merging the write-ahead log into the file, mostly on a separate thread.
//!
//! SQLite restarts its log only when all of it has been merged, which never happens while another
//! thread merges and commits continue. So a separate thread merges the bulk without blocking
//! commits, and the committing thread then merges the small rest.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

/// The approximate number of pages in the log that starts a merge: 64 MiB of 2 KiB pages.
const FRAMES_TO_MERGE: usize = 32_000;
/// Beyond this the committing thread merges everything itself, even if jobs wait.
const MAX_FRAMES: usize = 8 * FRAMES_TO_MERGE;
/// Approximate pages written by a commit and by each change. A wrong estimate only shifts the time
/// of the merge.
const FRAMES_PER_COMMIT: usize = 6;
const FRAMES_PER_CHANGE: usize = 2;

/// Nothing to do.
const IDLE: u8 = 0;
/// The thread merges the bulk.
const MERGING: u8 = 1;
/// The thread is done; the rest is for the committing thread.
const MERGED: u8 = 2;

/// Decides when the log is merged, and merges the bulk of it.
pub(super) struct Checkpointer {
    frames: usize,
    state: Arc<AtomicU8>,
    sender: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Merges with this connection, which is used for nothing else.
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(1);
        let state = Arc::new(AtomicU8::new(IDLE));
        let shared = Arc::clone(&state);
        let thread = thread::Builder::new()
            .name("checkpointer".into())
            .spawn(move || run(&receiver, &connection, &shared))?;
        Ok(Self { frames: 0, state, sender: Some(sender), thread: Some(thread) })
    }

    /// Counts a commit with this many changes. `true` if the committing thread should merge the
    /// rest.
    pub(super) fn committed(&mut self, changes: usize) -> bool {
        self.frames += FRAMES_PER_COMMIT + FRAMES_PER_CHANGE * changes;
        match self.state.load(Ordering::Acquire) {
            IDLE if self.frames > FRAMES_TO_MERGE => {
                self.state.store(MERGING, Ordering::Release);
                if let Some(sender) = &self.sender {
                    // If the thread is gone, the bound below still holds.
                    let _ = sender.send(());
                }
                false
            }
            MERGED => {
                self.state.store(IDLE, Ordering::Release);
                self.frames = 0;
                true
            }
            _ if self.frames > MAX_FRAMES => {
                self.frames = 0;
                true
            }
            _ => false,
        }
    }

    /// Ends the thread.
    pub(super) fn finish(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("checkpointing thread panicked");
        }
    }
}

fn run(receiver: &Receiver<()>, connection: &Connection, state: &AtomicU8) {
    while receiver.recv().is_ok() {
        // Twice, so that only pages committed during the short second merge remain.
        merge(connection);
        merge(connection);
        state.store(MERGED, Ordering::Release);
    }
}

/// Merges as much as possible without blocking.
pub(super) fn merge(connection: &Connection) {
    let merged = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()));
    if let Err(error) = merged {
        tracing::warn!(%error, "write-ahead log not merged, will retry");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_grows_is_merged_and_starts_anew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.db");
        let open = || {
            let connection = Connection::open(&path).unwrap();
            let sql = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;";
            connection.execute_batch(sql).unwrap();
            connection
        };
        let writer = open();
        writer.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").unwrap();
        let mut checkpointer = Checkpointer::start(open()).unwrap();
        assert!(!checkpointer.committed(FRAMES_TO_MERGE));
        // Counting while waiting would reach the bound if the thread is slow.
        while checkpointer.state.load(Ordering::Acquire) != MERGED {
            thread::yield_now();
        }
        assert!(checkpointer.committed(0));
        merge(&writer);
        let left: i64 = writer
            .query_row("PRAGMA wal_checkpoint(NOOP)", (), |row| {
                Ok(row.get::<_, i64>(1)? - row.get::<_, i64>(2)?)
            })
            .unwrap();
        assert_eq!(left, 0);
        assert!(!checkpointer.committed(0), "it begins to count anew");
        checkpointer.finish();
    }

    #[test]
    fn a_log_that_nobody_merges_is_bounded() {
        let mut alone = Checkpointer {
            frames: 0,
            state: Arc::new(AtomicU8::new(MERGING)),
            sender: None,
            thread: None,
        };
        assert!(!alone.committed(FRAMES_TO_MERGE));
        assert!(alone.committed(MAX_FRAMES));
        assert!(!alone.committed(1));
    }
}
