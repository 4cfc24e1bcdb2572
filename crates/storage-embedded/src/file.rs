//! The data directory: its lock, its file, and the file's format.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use larder_storage::StorageError;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::journal::read::last_sequence;
use crate::layout::{APPLICATION_ID, FORMAT_VERSION, Layout, definitions_after};
use crate::meta::{self, Counter};
use crate::options::OpenError;
use crate::records;

/// The file that holds everything, in the data directory.
pub const DATABASE: &str = "larder.db";

/// A locked data directory: no other process can open it.
pub(crate) struct DataDirectory {
    pub(crate) database: PathBuf,
    /// The format that the file had before, if it was upgraded.
    pub(crate) upgraded_from: OnceLock<i64>,
    /// Held for their locks.
    _locks: [File; 2],
}

impl DataDirectory {
    /// Creates the directory if necessary and locks it.
    pub(crate) fn lock(directory: &Path) -> Result<Self, OpenError> {
        let io = |error: std::io::Error| OpenError::Io {
            path: directory.to_owned(),
            reason: error.to_string(),
        };
        DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(io)?;
        // The file can be deleted while it is locked, the directory with the store in it cannot.
        // Earlier versions lock only the file. The database itself is not locked: closing its file
        // would release the locks that SQLite has on it.
        let locks = [
            File::open(directory).map_err(io)?,
            private_file(&directory.join("LOCK")).map_err(io)?,
        ];
        let [whole, file] = &locks;
        match (whole.try_lock(), file.try_lock()) {
            (Err(TryLockError::WouldBlock), _) | (_, Err(TryLockError::WouldBlock)) => {
                return Err(OpenError::Locked(directory.to_owned()));
            }
            (_, Err(TryLockError::Error(error))) => return Err(io(error)),
            // Some network file systems lock no directories: there, the file must do.
            (Ok(()) | Err(TryLockError::Error(_)), Ok(())) => {}
        }
        // SQLite would make it readable for others; its log follows the mode of the file.
        let database = directory.join(DATABASE);
        private_file(&database).map_err(io)?;
        Ok(Self { database, upgraded_from: OnceLock::new(), _locks: locks })
    }

    /// Opens the connection that writes; creates or checks the file.
    pub(crate) fn writer(&self) -> Result<Connection, OpenError> {
        let path = &self.database;
        let connection = Connection::open(path).map_err(|error| self.sqlite_error(&error))?;
        self.identify(&connection)?;
        // SQLite flushes at checkpoints, which `commit::checkpoint` schedules; `commit::flush`
        // flushes commits. A commit writes whole pages, most of them for one changed record each: 2
        // KiB pages measured best.
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; \
                 PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -12288; PRAGMA temp_store = MEMORY;",
            )
            .map_err(|error| self.sqlite_error(&error))?;
        configure(&connection).map_err(|error| self.sqlite_error(&error))?;
        self.check(&connection)?;
        Ok(connection)
    }

    /// The write-ahead log of the file.
    pub(crate) fn log(&self) -> PathBuf {
        let mut name = self.database.clone().into_os_string();
        name.push("-wal");
        name.into()
    }

    /// Opens a connection that only reads. Its cache is small, and a commit empties it anyway: the operating
    /// system caches the file.
    pub(crate) fn reader(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.database, flags)?;
        configure(&connection)?;
        connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -1024;")?;
        Ok(connection)
    }

    /// Checks the format; initialises a new file, and migrates one of an earlier format.
    fn identify(&self, connection: &Connection) -> Result<(), OpenError> {
        let pragma = |name: &str| {
            connection
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .map_err(|error| self.sqlite_error(&error))
        };
        let objects: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))
            .map_err(|error| self.sqlite_error(&error))?;
        match (pragma("application_id")?, pragma("user_version")?) {
            (0, 0) if objects == 0 => grow(connection, 0).map_err(|error| self.damage(&error)),
            (APPLICATION_ID, FORMAT_VERSION) => Ok(()),
            (APPLICATION_ID, found @ 1..FORMAT_VERSION) => {
                grow(connection, found).map_err(|error| self.damage(&error))?;
                self.upgraded_from.get_or_init(|| found);
                Ok(())
            }
            (APPLICATION_ID, found) if found > FORMAT_VERSION => Err(OpenError::NewerFormat {
                path: self.database.clone(),
                found,
                known: FORMAT_VERSION,
            }),
            _ => Err(OpenError::NotAStore(self.database.clone())),
        }
    }

    /// Checks the frame: the objects are those of the format, and the store's own numbers agree.
    fn check(&self, connection: &Connection) -> Result<(), OpenError> {
        let mut expected = definitions_after(0);
        expected.sort();
        let found = connection
            .prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")
            .and_then(|mut statement| {
                statement
                    .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<rusqlite::Result<Vec<(String, String)>>>()
            })
            .map_err(|error| self.sqlite_error(&error))?;
        if found != expected {
            return Err(self.damaged("its tables are not those of the format"));
        }
        let next = meta::read(connection, Counter::NextSequence).map_err(|e| self.damage(&e))?;
        let floor = meta::read(connection, Counter::JournalFloor).map_err(|e| self.damage(&e))?;
        let last = last_sequence(connection).map_err(|error| self.damage(&error))?;
        if last >= next || floor > next {
            return Err(self.damaged("the journal continues past its end"));
        }
        Ok(())
    }

    fn sqlite_error(&self, error: &rusqlite::Error) -> OpenError {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => OpenError::NotAStore(self.database.clone()),
            Some(ErrorCode::DatabaseCorrupt) => self.damaged(&error.to_string()),
            _ => OpenError::Io { path: self.database.clone(), reason: error.to_string() },
        }
    }

    pub(crate) fn damage(&self, error: &StorageError) -> OpenError {
        match error {
            StorageError::Corrupt { .. } => self.damaged(&error.to_string()),
            _ => OpenError::Io { path: self.database.clone(), reason: error.to_string() },
        }
    }

    fn damaged(&self, reason: &str) -> OpenError {
        OpenError::Damaged { path: self.database.clone(), reason: reason.to_owned() }
    }
}

/// Opens a file, created readable only for its owner: the store holds private data.
fn private_file(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)
}

/// The settings of every connection.
fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(128);
    // Only a checkpoint at the close of the last connection can make anyone wait.
    connection.busy_timeout(Duration::from_secs(5))
}

/// Creates everything that was added since a format (0: an empty file) in one transaction, so that
/// a crash leaves no partial store.
fn grow(connection: &Connection, format: i64) -> Result<(), StorageError> {
    use crate::error::At;
    // The size of pages is that of the file once it has any.
    connection.execute_batch("PRAGMA page_size = 2048; BEGIN IMMEDIATE").at("larder.db")?;
    for (name, sql) in definitions_after(format) {
        connection.execute_batch(&sql).at(&name)?;
    }
    for (layout, tree) in Layout::trees_after(format) {
        tree.plant(connection)?;
        if format > 0 {
            records::fill(connection, layout, tree)?;
        }
    }
    for counter in Counter::after(format) {
        meta::write(connection, counter, 1)?;
    }
    let identity = format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT_VERSION};"
    );
    connection.execute_batch(&identity).at("larder.db")?;
    connection.execute_batch("COMMIT").at("larder.db")
}
