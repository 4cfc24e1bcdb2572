//! One transaction on one connection.

use std::{fmt, time::Duration};

use futures_util::{future::BoxFuture, stream::BoxStream};
use larder_storage::StorageError;
use sqlx::{
    AssertSqlSafe, Either, Execute, Executor, PgConnection, Postgres, SqlStr,
    error::BoxDynError,
    pool::PoolConnection,
    postgres::{PgArguments, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};

use crate::{context::Context, failure::Failure};

/// Time limit for a connection to prove itself healthy before it is discarded.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// A transaction with its context. Dropping it rolls it back in the background; read-only ones end
/// this way too, without delaying the caller.
pub(crate) struct Transaction {
    connection: Option<PoolConnection<Postgres>>,
    unnamed_statements: bool,
    is_open: bool,
}

impl Transaction {
    pub(crate) async fn begin(
        connection: PoolConnection<Postgres>,
        sql: String,
        unnamed_statements: bool,
    ) -> Result<Self, Failure> {
        let connection = Some(connection);
        let mut transaction = Self { connection, unnamed_statements, is_open: true };
        transaction.connection().execute(AssertSqlSafe(sql)).await?;
        Ok(transaction)
    }

    /// Auto-commit: a statement's answer is complete only after its commit, so there is nothing to
    /// commit or roll back.
    pub(crate) fn of_one_statement(connection: PoolConnection<Postgres>) -> Self {
        Self { connection: Some(connection), unnamed_statements: false, is_open: false }
    }

    /// Adds to the context.
    pub(crate) async fn extend(&mut self, context: Context) -> Result<(), Failure> {
        self.connection().execute(AssertSqlSafe(context.sql())).await?;
        self.set_secrets(&context).await
    }

    /// Adds the secrets to the context, as parameters.
    pub(crate) async fn set_secrets(&mut self, context: &Context) -> Result<(), Failure> {
        for (name, value) in context.secrets() {
            let set = sqlx::query("SELECT set_config($1, $2, true)").bind(name).bind(value);
            set.execute(&mut *self).await?;
        }
        Ok(())
    }

    /// Commits. If the connection is lost during the commit, the outcome is unknown, so this is
    /// never retried here.
    pub(crate) async fn commit(mut self) -> Result<(), Failure> {
        match self.connection().execute("COMMIT").await {
            Ok(_) => {
                self.is_open = false;
                Ok(())
            }
            Err(error) => Err(match Failure::from(error) {
                Failure::LostConnection(reason) => {
                    let reason = format!("the connection was lost during a commit: {reason}");
                    Failure::Storage(StorageError::Unavailable(reason))
                }
                other => other,
            }),
        }
    }

    fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("only Drop takes the connection")
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let is_open = self.is_open;
        let release = async move {
            if !is_open || connection.execute("ROLLBACK").await.is_ok() {
                connection.return_to_pool().await;
            } else {
                connection.close_on_drop();
            }
        };
        // The time-out drops a hanging connection, which would otherwise occupy the pool.
        tokio::spawn(tokio::time::timeout(RELEASE_TIMEOUT, release));
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction").field("is_open", &self.is_open).finish_non_exhaustive()
    }
}

/// Statements run on the transaction itself: `query.fetch_one(&mut transaction)`.
impl<'c> Executor<'c> for &'c mut Transaction {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let named = !self.unnamed_statements;
        self.connection().fetch_many(Statement { query, named })
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<PgRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let named = !self.unnamed_statements;
        self.connection().fetch_optional(Statement { query, named })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        self.connection().prepare_with(sql, parameters)
    }

    fn describe<'e>(
        self,
        sql: SqlStr,
    ) -> BoxFuture<'e, Result<sqlx::Describe<Postgres>, sqlx::Error>>
    where
        'c: 'e,
    {
        self.connection().describe(sql)
    }
}

/// A query that is prepared under a name only if later transactions reach the same server process.
struct Statement<E> {
    query: E,
    named: bool,
}

impl<'q, E: Execute<'q, Postgres>> Execute<'q, Postgres> for Statement<E> {
    fn sql(self) -> SqlStr {
        self.query.sql()
    }

    fn statement(&self) -> Option<&PgStatement> {
        self.query.statement()
    }

    fn take_arguments(&mut self) -> Result<Option<PgArguments>, BoxDynError> {
        self.query.take_arguments()
    }

    fn persistent(&self) -> bool {
        self.named && self.query.persistent()
    }
}
