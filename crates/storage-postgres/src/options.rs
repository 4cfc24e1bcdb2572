//! How a store connects.

use std::{fmt, time::Duration};

use jiff::SignedDuration;
use sqlx::{ConnectOptions, postgres::PgConnectOptions};

use crate::OpenError;

/// The database and how to connect. The URL is for the run-time role, never the owner.
#[derive(Clone)]
pub struct PostgresOptions {
    /// `postgres://role:password@host:port/database?sslmode=verify-full`. Missing parts come from
    /// the usual environment variables (`PGPASSWORD`, `PGHOST` …).
    pub url: String,
    /// Connections kept open when idle.
    pub min_connections: u32,
    /// Maximum number of connections, without the one of the listener for live changes.
    pub max_connections: u32,
    /// Time limit of a statement.
    pub statement_timeout: Duration,
    /// Time limit for waiting on a row lock.
    pub lock_timeout: Duration,
    /// How long a call waits for a connection: on a busy server that is the queue in front of the pool.
    pub acquire_timeout: Duration,
    /// Time limit of a call, including retries and network stalls.
    pub call_timeout: Duration,
    /// How long the feed of changes and the audit trail reach back.
    pub journal_retention: SignedDuration,
    /// Retention of readings: bounds which weekly partitions are created and dropped.
    pub reading_retention: SignedDuration,
    /// Whether a transaction pooler such as `PgBouncer` is in between: no prepared statement
    /// outlives its transaction, and live changes are polled instead of `LISTEN`.
    pub through_pooler: bool,
}

impl PostgresOptions {
    /// The defaults for a database: 5 to 20 connections, 35 days of history, 90 days of readings.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            min_connections: 5,
            max_connections: 20,
            statement_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(4),
            acquire_timeout: Duration::from_secs(6),
            call_timeout: Duration::from_secs(8),
            journal_retention: SignedDuration::from_hours(35 * 24),
            reading_retention: SignedDuration::from_hours(90 * 24),
            through_pooler: false,
        }
    }

    /// Reads the URL.
    pub(crate) fn connect_options(&self) -> Result<PgConnectOptions, OpenError> {
        let options: PgConnectOptions = self.url.parse().map_err(|error: sqlx::Error| {
            // The error may quote the URL, and with it a password.
            let reason = match error {
                sqlx::Error::Configuration(_) => "it does not parse".to_owned(),
                other => other.to_string(),
            };
            OpenError::Refused(format!("the database URL cannot be used: {reason}"))
        })?;
        // Statements that begin a transaction contain codes and addresses: never log them.
        Ok(options.application_name("larder").disable_statement_logging())
    }

    /// The settings that limit a statement's resources, as SQL.
    pub(crate) fn limits(&self, local: &str) -> String {
        format!(
            "SET {local} statement_timeout = {}; SET {local} lock_timeout = {}; \
             SET {local} idle_in_transaction_session_timeout = {}",
            self.statement_timeout.as_millis(),
            self.lock_timeout.as_millis(),
            2 * self.call_timeout.as_millis(),
        )
    }
}

/// Omits the URL, which may contain a password.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("min_connections", &self.min_connections)
            .field("max_connections", &self.max_connections)
            .field("statement_timeout", &self.statement_timeout)
            .field("lock_timeout", &self.lock_timeout)
            .field("acquire_timeout", &self.acquire_timeout)
            .field("call_timeout", &self.call_timeout)
            .field("journal_retention", &self.journal_retention)
            .field("reading_retention", &self.reading_retention)
            .field("through_pooler", &self.through_pooler)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_do_not_print_the_password() {
        let options = PostgresOptions::new("postgres://larder:sesame@localhost/larder");
        assert!(!format!("{options:?}").contains("sesame"));
    }

    #[test]
    fn a_url_that_does_not_parse_is_refused_without_being_quoted() {
        let options = PostgresOptions::new("postgres://larder:sesame@local host:x/larder");
        let refused = options.connect_options().unwrap_err();
        assert!(matches!(refused, OpenError::Refused(_)), "{refused}");
        assert!(!refused.to_string().contains("sesame"), "{refused}");
    }

    #[test]
    fn time_outs_are_set_in_milliseconds() {
        let options = PostgresOptions::new("postgres://localhost");
        assert!(options.limits("LOCAL").starts_with("SET LOCAL statement_timeout = 5000;"));
    }
}
