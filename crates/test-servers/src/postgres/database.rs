//! Databases cloned from templates.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tokio::sync::OnceCell;

use super::{OWNER, OWNER_PASSWORD, PostgresServer};

/// A database of one test, and the result of preparing its template.
#[derive(Debug, Clone)]
pub struct Database<T> {
    /// Its name.
    pub name: String,
    /// A URL for the superuser, whom no policy binds.
    pub superuser_url: String,
    /// A URL for the role that owns the database. It may create roles.
    pub owner_url: String,
    /// The result of the preparation.
    pub prepared: T,
    address: SocketAddr,
}

impl<T> Database<T> {
    /// A URL for another role. The password is inserted verbatim, so it must not need escapes.
    pub fn url(&self, role: &str, password: &str) -> String {
        format!("postgres://{role}:{password}@{}/{}", self.address, self.name)
    }

    fn new(server: &PostgresServer, name: String, prepared: T) -> Self {
        let superuser_url = server.superuser_url(&name);
        let owner_url = server.owner_url(&name);
        Self { name, superuser_url, owner_url, prepared, address: server.address() }
    }

    pub(super) async fn cloned_from(server: &PostgresServer, template: &str, prepared: T) -> Self {
        let name = unique_name("test");
        let statement = format!(
            "CREATE DATABASE {name} WITH OWNER {OWNER} TEMPLATE {template} STRATEGY {STRATEGY}"
        );
        execute_as_superuser(server, &statement).await;
        Self::new(server, name, prepared)
    }
}

/// Copies files instead of pages through the log: faster for a cluster that does not wait for disks.
const STRATEGY: &str = "FILE_COPY";

/// A template that is created on first use. Concurrent users wait.
#[derive(Default)]
pub(super) struct Template {
    made: OnceCell<(String, Arc<dyn Any + Send + Sync>)>,
}

impl Template {
    /// Its name, and the result of its preparation.
    pub(super) async fn prepared<T, F>(
        &self,
        server: &PostgresServer,
        prepare: impl FnOnce(Database<()>) -> F,
    ) -> (String, Arc<dyn Any + Send + Sync>)
    where
        T: Send + Sync + 'static,
        F: Future<Output = T>,
    {
        let make = || async {
            make_owner(server).await;
            let name = unique_name("template");
            let statement = format!("CREATE DATABASE {name} WITH OWNER {OWNER}");
            execute_as_superuser(server, &statement).await;
            let prepared = prepare(Database::new(server, name.clone(), ())).await;
            (name, Arc::new(prepared) as Arc<dyn Any + Send + Sync>)
        };
        self.made.get_or_init(make).await.clone()
    }
}

/// Creates the role that owns databases, unless it exists.
async fn make_owner(server: &PostgresServer) {
    // Two templates of one server may be made at once, so "unless" has to be the database's.
    let statement = format!(
        "DO $$ BEGIN
             CREATE ROLE {OWNER} LOGIN CREATEROLE CREATEDB PASSWORD '{OWNER_PASSWORD}';
         EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
         END $$"
    );
    execute_as_superuser(server, &statement).await;
}

/// No two of a process have the same name, so no two of its servers do.
fn unique_name(kind: &str) -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    format!("{kind}_{}", MADE.fetch_add(1, Ordering::Relaxed))
}

async fn execute_as_superuser(server: &PostgresServer, statement: &str) {
    let fail = |error: sqlx::Error| -> ! { panic!("{statement}: {error}") };
    let url = server.superuser_url("postgres");
    let mut connection = PgConnection::connect(&url).await.unwrap_or_else(|error| fail(error));
    // Safe: built from constants and from names that this file generates.
    connection.execute(AssertSqlSafe(statement)).await.unwrap_or_else(|error| fail(error));
    connection.close().await.unwrap_or_else(|error| fail(error));
}
