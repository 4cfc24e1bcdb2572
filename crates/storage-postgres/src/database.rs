//! The pool, reachable only through transactions that have a context.

use std::time::Duration;

use larder_storage::{Result, StorageError};
use sqlx::{
    ConnectOptions, Connection, Executor, PgPool, Postgres, pool::PoolConnection,
    postgres::PgPoolOptions,
};
use tokio::time::Instant;

use crate::{
    OpenError, PostgresOptions,
    context::Context,
    failure::{Failure, unavailable},
    migrate, retry,
    transaction::Transaction,
};

/// Connections are replaced after this time, so that a changed role or address is noticed.
const MAX_LIFETIME: Duration = Duration::from_mins(30);

/// A pool of connections as the run-time role.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    pool: PgPool,
    options: PostgresOptions,
}

impl Database {
    /// Connects, without running a statement.
    pub(crate) async fn connect(options: PostgresOptions) -> Result<Self, OpenError> {
        let mut connect = options.connect_options()?;
        let mut pool = PgPoolOptions::new()
            .min_connections(options.min_connections.min(options.max_connections))
            .max_connections(options.max_connections)
            .acquire_timeout(options.acquire_timeout)
            .max_lifetime(MAX_LIFETIME)
            // A dead connection fails at BEGIN, which is retried on another: no ping needed.
            .test_before_acquire(false);
        if options.through_pooler {
            // Poolers reject most startup parameters.
            connect = connect.extra_float_digits(None);
        } else {
            let limits = options.limits("SESSION");
            pool = pool.after_connect(move |connection, _| {
                let limits = sqlx::AssertSqlSafe(limits.clone());
                Box::pin(async move { connection.execute(limits).await.map(drop) })
            });
        }
        // The pool would retry until its time-out and then hide the reason.
        let first = tokio::time::timeout(options.acquire_timeout, connect.connect()).await;
        let first = first.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        first.map_err(OpenError::from_connecting)?.close().await.ok();
        let pool = pool.connect_with(connect).await.map_err(OpenError::from_connecting)?;
        Ok(Self { pool, options })
    }

    pub(crate) fn options(&self) -> &PostgresOptions {
        &self.options
    }

    /// The number of connections, and how many of them are idle.
    pub(crate) fn connections(&self) -> (u32, usize) {
        (self.pool.size(), self.pool.num_idle())
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }

    /// Refuses a role or a schema that no server may serve with.
    pub(crate) async fn check_runtime_role(&self) -> Result<(), OpenError> {
        let mut connection = self.pool.acquire().await.map_err(OpenError::from_connecting)?;
        // In a transaction, so that a pooler stays on one server process; DEALLOCATE, so that no
        // prepared statement stays behind there.
        let begin = "BEGIN READ ONLY; DEALLOCATE ALL";
        connection.execute(begin).await.map_err(OpenError::from_connecting)?;
        let checked = migrate::check_runtime_role(&mut connection).await;
        let end = connection.execute("DEALLOCATE ALL; ROLLBACK").await;
        // The driver's statement cache is stale now.
        connection.close_on_drop();
        checked?;
        end.map_err(OpenError::from_connecting)?;
        Ok(())
    }

    /// Notifies all listeners of the channel.
    pub(crate) async fn notify(&self, channel: &str, payload: &str) -> sqlx::Result<()> {
        let tell = async {
            let sql = format!("NOTIFY {channel}, '{payload}'");
            self.pool.acquire().await?.execute(sqlx::AssertSqlSafe(sql)).await
        };
        let answer = tokio::time::timeout(self.options.call_timeout, tell).await;
        answer.map_err(|_| sqlx::Error::PoolTimedOut)?.map(drop)
    }

    /// A read-write transaction with this context.
    pub(crate) async fn write(&self, context: &Context) -> Result<Transaction, Failure> {
        self.begin("BEGIN", context).await
    }

    /// A read-only transaction with this context.
    pub(crate) async fn read(&self, context: &Context) -> Result<Transaction, Failure> {
        self.begin("BEGIN READ ONLY", context).await
    }

    /// A connection for one auto-committed statement that sets its own context: one round trip
    /// instead of three. `None` behind a pooler, where statement limits need a transaction.
    pub(crate) async fn single(&self) -> Result<Option<Transaction>, Failure> {
        if self.options.through_pooler {
            return Ok(None);
        }
        Ok(Some(Transaction::of_one_statement(self.connection().await?)))
    }

    async fn connection(&self) -> Result<PoolConnection<Postgres>, Failure> {
        self.pool.acquire().await.map_err(|error| match error {
            // No connection could be made; an immediate retry would fail too.
            sqlx::Error::Io(error) => unavailable(error.to_string()),
            other => Failure::from(other),
        })
    }

    /// One round trip, settings included; one more for each secret.
    async fn begin(&self, begin: &str, context: &Context) -> Result<Transaction, Failure> {
        let connection = self.connection().await?;
        let through_pooler = self.options.through_pooler;
        let limits = if through_pooler { self.options.limits("LOCAL") } else { String::new() };
        let sql = format!("{begin}; {limits}; {}", context.sql());
        let mut transaction = Transaction::begin(connection, sql, through_pooler).await?;
        transaction.set_secrets(context).await?;
        Ok(transaction)
    }

    /// Runs a whole transaction, and retries it on conflicts until the deadline.
    pub(crate) async fn retry<T, F>(&self, attempt: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let deadline = Instant::now() + self.options.call_timeout;
        // Every connection of the pool may be dead after a restart of the server.
        let mut spare_connections = self.options.max_connections + 1;
        let mut tries = 0;
        loop {
            let Ok(outcome) = tokio::time::timeout_at(deadline, attempt()).await else {
                let limit = self.options.call_timeout;
                return Err(StorageError::Unavailable(format!("no answer within {limit:?}")));
            };
            match outcome {
                Ok(value) => return Ok(value),
                Err(Failure::LostConnection(reason)) => {
                    spare_connections = spare_connections
                        .checked_sub(1)
                        .ok_or(StorageError::Unavailable(reason))?;
                }
                Err(Failure::Conflict(reason)) => {
                    let pause = retry::pause(tries);
                    if Instant::now() + pause >= deadline {
                        return Err(StorageError::Contention(reason));
                    }
                    tokio::time::sleep(pause).await;
                    tries += 1;
                }
                Err(failure) => return Err(failure.into_storage()),
            }
        }
    }
}

/// How many rows show a page and whether more follow.
pub(crate) fn one_more(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1
}

#[cfg(test)]
mod tests {
    use larder_test_servers::PostgresServer;

    use super::*;

    /// The number of statements that stay prepared on a connection after two transactions.
    async fn prepared_statements(through_pooler: bool) -> i64 {
        let empty = PostgresServer::shared().fresh_database("empty", |_| async {}).await;
        let options = PostgresOptions::new(empty.superuser_url);
        let options = PostgresOptions { max_connections: 1, through_pooler, ..options };
        let database = Database::connect(options).await.unwrap();
        let mut transaction = database.read(&Context::of_server()).await.unwrap();
        let asked: i32 =
            sqlx::query_scalar("SELECT $1 + 1").bind(41).fetch_one(&mut transaction).await.unwrap();
        assert_eq!(asked, 42);
        drop(transaction);
        let mut transaction = database.read(&Context::of_server()).await.unwrap();
        let count = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE $1";
        let count = sqlx::query_scalar(count).bind("SELECT $1 + 1");
        count.fetch_one(&mut transaction).await.unwrap()
    }

    #[tokio::test]
    async fn statements_stay_prepared_but_not_behind_a_pooler() {
        assert_eq!(prepared_statements(false).await, 1);
        assert_eq!(prepared_statements(true).await, 0);
    }

    #[tokio::test]
    async fn the_time_outs_hold_with_and_without_a_pooler() {
        for through_pooler in [false, true] {
            let empty = PostgresServer::shared().fresh_database("empty", |_| async {}).await;
            let options = PostgresOptions::new(empty.superuser_url);
            let statement_timeout = Duration::from_millis(50);
            let options = PostgresOptions { statement_timeout, through_pooler, ..options };
            let database = Database::connect(options).await.unwrap();
            let slow = database.retry(|| async {
                let mut transaction = database.read(&Context::of_server()).await?;
                sqlx::query("SELECT pg_sleep(60)").execute(&mut transaction).await?;
                Ok(())
            });
            let failed = slow.await;
            assert!(matches!(failed, Err(StorageError::Unavailable(_))), "{failed:?}");
        }
    }
}
