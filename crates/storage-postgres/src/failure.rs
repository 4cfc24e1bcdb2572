//! Classifies PostgreSQL's errors: retry, conflict, or permanent.

use larder_storage::StorageError;
use sqlx::postgres::PgDatabaseError;

/// Why an attempt at a transaction ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Serialization failure or deadlock: the whole transaction may be retried.
    Conflict(String),
    /// The connection was lost before the commit was sent: safe to retry on another one.
    LostConnection(String),
    /// A constraint or a unique index of this name refused a row.
    Constraint(String),
    /// Not retryable.
    Storage(StorageError),
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => {
                Self::from_answer(error.downcast_ref::<PgDatabaseError>())
            }
            sqlx::Error::Io(error) => Self::LostConnection(error.to_string()),
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Tls(_)
            | sqlx::Error::BeginFailed => unavailable(error.to_string()),
            // A truncated message does not parse.
            sqlx::Error::Protocol(reason) => Self::LostConnection(reason),
            sqlx::Error::ColumnDecode { index, source } => corrupt(&index, &source.to_string()),
            sqlx::Error::Decode(source) => corrupt("a value", &source.to_string()),
            other => Self::Storage(StorageError::Defect(other.to_string())),
        }
    }
}

impl Failure {
    /// By the codes of the manual's appendix A.
    fn from_answer(error: &PgDatabaseError) -> Self {
        let code = error.code();
        let reason = || format!("{} ({code})", error.message());
        if let (Some(name), "23") = (error.constraint(), class_of(code)) {
            return Self::Constraint(name.to_owned());
        }
        match (code, class_of(code)) {
            ("40001" | "40P01", _) => Self::Conflict(reason()),
            ("55P03", _) => Self::Storage(StorageError::Contention(reason())),
            // Terminated by an administrator, crashed, starting up, too long idle.
            ("57P01" | "57P02" | "57P03" | "57P05" | "25P03", _) | (_, "08") => {
                Self::LostConnection(reason())
            }
            // Statement time-out; read-only standby after a failover; out of resources. Or the
            // database is missing, or rejects the login, until an operator restores it or changes a
            // password.
            ("57014" | "25006" | "3D000", _) | (_, "28" | "53" | "57" | "58") => {
                unavailable(reason())
            }
            // A prepared statement's name is taken or unknown.
            ("42P05" | "26000", _) => unavailable(format!(
                "{}: if a pooler gives each transaction another connection, set postgres_pooler = transaction",
                reason()
            )),
            (_, "54") => Self::Storage(StorageError::TooLarge(reason())),
            ("XX001" | "XX002", _) => corrupt("a page of the database", &reason()),
            _ => Self::Storage(StorageError::Defect(reason())),
        }
    }

    /// The error for callers, who cannot retry.
    pub(crate) fn into_storage(self) -> StorageError {
        match self {
            Self::Conflict(reason) => StorageError::Contention(reason),
            Self::LostConnection(reason) => StorageError::Unavailable(reason),
            Self::Constraint(name) => {
                StorageError::Defect(format!("constraint {name} refused a row"))
            }
            Self::Storage(error) => error,
        }
    }
}

fn class_of(code: &str) -> &str {
    code.get(..2).unwrap_or_default()
}

pub(crate) fn unavailable(reason: String) -> Failure {
    Failure::Storage(StorageError::Unavailable(reason))
}

fn corrupt(record: &str, reason: &str) -> Failure {
    let (record, reason) = (record.to_owned(), reason.to_owned());
    Failure::Storage(StorageError::Corrupt { record, reason })
}
