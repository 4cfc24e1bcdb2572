//! Converting SQLite's errors to storage errors.

use larder_storage::{Result, StorageError};
use rusqlite::ErrorCode;
use rusqlite::types::FromSqlError;

/// The error for a damaged row.
pub(crate) fn corrupt(record: impl Into<String>, reason: impl Into<String>) -> StorageError {
    StorageError::Corrupt { record: record.into(), reason: reason.into() }
}

/// Adds the location to an error of SQLite.
pub(crate) trait At<T> {
    /// The storage error; `place` names the table or the record.
    fn at(self, place: &str) -> Result<T>;
}

impl<T> At<T> for rusqlite::Result<T> {
    fn at(self, place: &str) -> Result<T> {
        self.map_err(|error| match error.sqlite_error_code() {
            Some(
                ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                // No statement violates a constraint on a sound file.
                | ErrorCode::ConstraintViolation,
            ) => corrupt(place, error.to_string()),
            _ => StorageError::Unavailable(error.to_string()),
        })
    }
}

impl<T> At<T> for std::result::Result<T, FromSqlError> {
    fn at(self, place: &str) -> Result<T> {
        self.map_err(|error| corrupt(place, format!("a column is not of its type ({error})")))
    }
}
