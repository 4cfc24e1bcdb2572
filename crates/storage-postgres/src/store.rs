//! Opening and closing.

use std::sync::Arc;

use larder_storage::Clock;
use sqlx::postgres::PgDatabaseError;
use thiserror::Error;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    PostgresOptions, database::Database, failure::Failure, live::Live, migrate::RoleProblem,
};

/// All ports on one PostgreSQL database. Any number of servers may have one open.
pub struct PostgresStore {
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) live: Arc<Live>,
    /// Ends with the store.
    _background: JoinSet<()>,
}

/// Why a store cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The server does not answer. Trying again may help.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The server refuses the connection; the text says how to fix it.
    #[error("{0}")]
    Refused(String),
}

/// The state of a store, for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statistics {
    /// Open connections.
    pub connections: u32,
    /// Of these, how many wait for work.
    pub idle_connections: usize,
    /// Inventories that someone listens to.
    pub watched_inventories: usize,
}

impl OpenError {
    /// Distinguished by whether it may recover by itself.
    pub(crate) fn from_connecting(error: sqlx::Error) -> Self {
        if let sqlx::Error::Database(answer) = &error {
            let code = answer.downcast_ref::<PgDatabaseError>().code();
            // Wrong role or password, no such database, no right to connect.
            if code.starts_with("28") || matches!(code, "3D000" | "42501") {
                return Self::Refused(format!("PostgreSQL refuses the connection: {answer}"));
            }
            // PostgreSQL accepts these startup parameters; poolers may not.
            if code == "08P01" && answer.message().contains("startup parameter") {
                return Self::Refused(format!(
                    "a pooler refuses the connection ({answer}): set postgres_pooler = transaction"
                ));
            }
        }
        match error {
            sqlx::Error::Configuration(reason) => Self::Refused(reason.to_string()),
            other => Self::Unreachable(other.to_string()),
        }
    }
}

impl From<RoleProblem> for OpenError {
    fn from(problem: RoleProblem) -> Self {
        match problem {
            RoleProblem::Database(error) => Self::from_connecting(error),
            other => Self::Refused(other.to_string()),
        }
    }
}

impl PostgresStore {
    /// Connects, and checks that row-level security applies to the role and that the schema has the
    /// version of this program.
    pub async fn open(options: PostgresOptions, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let database = Database::connect(options).await?;
        database.check_runtime_role().await?;
        let live = Arc::new(Live::default());
        let background = live.start(&database)?;
        Ok(Self { database, clock, live, _background: background })
    }

    /// Numbers of connections and of watched inventories.
    pub fn statistics(&self) -> Statistics {
        let (connections, idle_connections) = self.database.connections();
        Statistics { connections, idle_connections, watched_inventories: self.live.watched_count() }
    }

    /// Runs a whole transaction, and retries it on conflicts until the deadline.
    pub(crate) async fn retry<T, F>(&self, attempt: impl Fn() -> F) -> larder_storage::Result<T>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        self.database.retry(attempt).await
    }

    /// The same for a change of this inventory, of which its listeners learn.
    pub(crate) async fn retry_change<T, F>(
        &self,
        inventory: Uuid,
        attempt: impl Fn() -> F,
    ) -> larder_storage::Result<T>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let outcome = self.retry(attempt).await?;
        self.live.changed(inventory);
        Ok(outcome)
    }

    /// Closes every connection when its work is done. Later calls fail.
    pub async fn close(&self) {
        self.database.close().await;
    }
}
