//! A migrated database per test, and connections with a context.

use larder_storage_postgres::migrate::{self, UpOptions};
use larder_test_servers::{Database, PostgresServer};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, postgres::PgDatabaseError};

/// The newest migration.
pub(crate) const NEWEST: i64 = 25;

/// A database with the newest schema.
pub(crate) struct Migrated {
    pub(crate) name: String,
    pub(crate) owner_url: String,
    pub(crate) superuser_url: String,
    pub(crate) runtime_url: String,
}

impl Migrated {
    pub(crate) async fn fresh() -> Self {
        let database: Database<String> =
            PostgresServer::shared().fresh_database("migrated", migrate_template).await;
        Self {
            runtime_url: database.url(TEST_RUNTIME_ROLE, &database.prepared),
            owner_url: database.owner_url,
            superuser_url: database.superuser_url,
            name: database.name,
        }
    }

    /// As the one whom no policy binds.
    pub(crate) async fn superuser(&self) -> PgConnection {
        connect(&self.superuser_url).await
    }

    /// As any role.
    pub(crate) async fn role(&self, role: &str, password: &str) -> PgConnection {
        connect(&PostgresServer::shared().url(role, password, &self.name)).await
    }

    /// As the role that serves.
    pub(crate) async fn runtime(&self) -> PgConnection {
        connect(&self.runtime_url).await
    }
}

/// Not the default one, which tests of roles create and change.
const TEST_RUNTIME_ROLE: &str = "larder_schema_tests";

async fn migrate_template(database: Database<()>) -> String {
    let options =
        UpOptions { runtime_role: Some(TEST_RUNTIME_ROLE.to_owned()), ..UpOptions::default() };
    let report = migrate::up(&database.owner_url, &options).await.expect("a new database migrates");
    let (_, login) = report.runtime_role.url.split_once("://").expect("it is a URL");
    let (_, rest) = login.split_once(':').expect("a new role gets a password");
    rest.split_once('@').expect("the host follows").0.to_owned()
}

/// An empty database.
pub(crate) async fn empty_database() -> Database<()> {
    PostgresServer::shared().fresh_database("empty", |_| async {}).await
}

pub(crate) async fn connect(url: &str) -> PgConnection {
    PgConnection::connect(url).await.expect("the server of this test answers")
}

/// Runs statements that must succeed.
pub(crate) async fn run(connection: &mut PgConnection, sql: &str) -> u64 {
    match sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await {
        Ok(done) => done.rows_affected(),
        Err(error) => panic!("{error}\n{sql}"),
    }
}

/// Runs statements that must fail, and answers with the SQLSTATE and the whole text of the refusal.
pub(crate) async fn refused(connection: &mut PgConnection, sql: &str) -> (String, String) {
    let error = match sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await {
        Ok(done) => {
            panic!("{} rows affected by what should be refused:\n{sql}", done.rows_affected())
        }
        Err(error) => error,
    };
    refusal(&error)
}

pub(crate) fn refusal(error: &sqlx::Error) -> (String, String) {
    let error = error.as_database_error().unwrap_or_else(|| panic!("not from the server: {error}"));
    let error = error.downcast_ref::<PgDatabaseError>();
    let text = [Some(error.message()), error.detail(), error.hint()];
    (error.code().to_owned(), text.into_iter().flatten().collect::<Vec<_>>().join(" | "))
}

/// The only column of every row, as text.
pub(crate) async fn texts(connection: &mut PgConnection, sql: &str) -> Vec<String> {
    match sqlx::query(AssertSqlSafe(sql)).fetch_all(connection).await {
        Ok(rows) => rows.iter().map(|row| row.get(0)).collect(),
        Err(error) => panic!("{error}\n{sql}"),
    }
}

/// The only value of the only row.
pub(crate) async fn number(connection: &mut PgConnection, sql: &str) -> i64 {
    match sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await {
        Ok(number) => number,
        Err(error) => panic!("{error}\n{sql}"),
    }
}

/// Begins a transaction with these settings.
pub(crate) fn begin_as(settings: &[(&str, &str)]) -> String {
    let set = |(name, value): &(&str, &str)| {
        format!("; SELECT set_config('app.{name}', '{value}', true)")
    };
    "BEGIN".to_owned() + &settings.iter().map(set).collect::<String>()
}
