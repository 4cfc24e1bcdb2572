//! The connections that read.

use std::sync::{Condvar, Mutex};

use larder_storage::Result;
use rusqlite::Connection;

use crate::error::At;
use crate::file::DataDirectory;

/// Readers hold a connection only while they run on their thread, so this many serve as many threads.
const MAX_CONNECTIONS: usize = 16;

/// A bounded set of reading connections, opened when first needed.
pub(crate) struct ReaderPool {
    directory: DataDirectory,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    open: usize,
}

impl ReaderPool {
    pub(crate) fn new(directory: DataDirectory) -> Self {
        Self { directory, state: Mutex::default(), returned: Condvar::new() }
    }

    /// Reads with a connection of the pool: the last one used, whose cache is the warmest.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let mut lease = Lease { pool: self, connection: None };
        let connection = match self.take() {
            Some(connection) => connection,
            None => self.directory.reader().at("larder.db")?,
        };
        read(lease.connection.insert(connection))
    }

    /// Reads in one transaction: every statement sees the same state.
    pub(crate) fn read_snapshot<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        self.read(|connection| {
            connection.prepare_cached("BEGIN").at("larder.db")?.execute(()).at("larder.db")?;
            let answer = read(connection);
            // Nothing was written: either end of the transaction only releases the snapshot.
            connection.prepare_cached("COMMIT").at("larder.db")?.execute(()).at("larder.db")?;
            answer
        })
    }

    /// Closes idle connections.
    pub(crate) fn close_idle(&self) {
        let mut state = self.state();
        state.open -= state.idle.len();
        state.idle.clear();
    }

    /// The size of the file in bytes.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.directory.database.metadata().map_or(0, |file| file.len())
    }

    /// An idle connection, or `None` for permission to open one.
    fn take(&self) -> Option<Connection> {
        let mut state = self.state();
        while state.idle.is_empty() && state.open == MAX_CONNECTIONS {
            state = self.returned.wait(state).expect("no holder of this lock panics");
        }
        let connection = state.idle.pop();
        state.open += usize::from(connection.is_none());
        connection
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

/// Returns the slot to the pool, even if the reader panics.
struct Lease<'p> {
    pool: &'p ReaderPool,
    connection: Option<Connection>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // A connection left in a transaction by a panic or an error would show an old state
        // forever.
        let connection = self.connection.take().filter(Connection::is_autocommit);
        let mut state = self.pool.state();
        match connection {
            Some(connection) => state.idle.push(connection),
            None => state.open -= 1,
        }
        drop(state);
        self.pool.returned.notify_one();
    }
}
