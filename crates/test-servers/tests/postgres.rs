//! PostgreSQL as tests get it.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

use std::sync::atomic::{AtomicU32, Ordering};

use larder_test_servers::{Database, PostgresServer};
use sqlx::{Connection as _, Executor as _, PgConnection};

async fn execute(url: &str, statements: &'static str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute(statements).await.unwrap();
    connection.close().await.unwrap();
}

async fn number(url: &str, query: &'static str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
}

async fn with_one_row(database: Database<()>) -> &'static str {
    execute(&database.owner_url, "CREATE TABLE t (n bigint); INSERT INTO t VALUES (7)").await;
    "prepared"
}

#[tokio::test]
async fn every_fresh_database_is_a_copy_that_nobody_else_sees() {
    let server = PostgresServer::shared();
    let one = server.fresh_database("one row", with_one_row).await;
    let other = server.fresh_database("one row", with_one_row).await;
    assert_ne!(one.name, other.name);
    execute(&one.owner_url, "INSERT INTO t VALUES (8)").await;
    assert_eq!(number(&one.owner_url, "SELECT sum(n)::bigint FROM t").await, 15);
    assert_eq!(number(&other.owner_url, "SELECT sum(n)::bigint FROM t").await, 7);
}

#[tokio::test]
async fn a_template_is_prepared_once_however_many_ask_at_once() {
    static PREPARED: AtomicU32 = AtomicU32::new(0);
    let ask = || {
        PostgresServer::shared()
            .fresh_database("counted", |_| async { PREPARED.fetch_add(1, Ordering::SeqCst) })
    };
    let (one, two, three) = tokio::join!(ask(), ask(), ask());
    assert_eq!([one.prepared, two.prepared, three.prepared], [0, 0, 0]);
    assert_eq!(PREPARED.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_owner_is_bound_by_passwords_and_is_no_superuser() {
    let database = PostgresServer::shared().fresh_database("empty", |_| async {}).await;
    let is_superuser = "SELECT rolsuper::int::bigint FROM pg_roles WHERE rolname = current_user";
    assert_eq!(number(&database.owner_url, is_superuser).await, 0);
    assert_eq!(number(&database.superuser_url, is_superuser).await, 1);
    let refused = PgConnection::connect(&database.url("larder_owner", "wrong")).await.unwrap_err();
    let code = refused.as_database_error().and_then(|error| error.code().map(String::from));
    assert_eq!(code.as_deref(), Some("28P01"), "{refused}");
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_kill() {
    let server = PostgresServer::start();
    let database = server.fresh_database("one row", with_one_row).await;
    execute(&database.owner_url, "INSERT INTO t VALUES (35)").await;
    server.kill();
    PgConnection::connect(&database.owner_url).await.unwrap_err();
    server.start_again();
    assert_eq!(number(&database.owner_url, "SELECT sum(n)::bigint FROM t").await, 42);
}
