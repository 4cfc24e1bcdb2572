//! A server that requires TLS.

use std::sync::LazyLock;

use larder_storage::Inventory;
use larder_storage_postgres::{OpenError, PostgresOptions, PostgresStore, migrate};
use larder_test_servers::PostgresServer;
use sqlx::{Connection, PgConnection};

use crate::{
    home::{add, found},
    launch::{clock, database_on, options, store},
};

static SERVER: LazyLock<PostgresServer> = LazyLock::new(PostgresServer::start_with_tls);

/// URL parameters that verify the server as `localhost`, with its authority's certificate.
fn verified() -> String {
    format!("?sslmode=verify-full&sslrootcert={}", SERVER.ca_file().display())
}

/// The certificate is for this name.
fn by_name(url: &str) -> String {
    url.replace("@127.0.0.1:", "@localhost:")
}

async fn refusal(url: String) -> OpenError {
    let options = PostgresOptions { min_connections: 0, ..PostgresOptions::new(url) };
    let opened = PostgresStore::open(options, clock() as _).await;
    opened.err().expect("the store must not open")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_migrates_and_what_serves_is_encrypted_and_checked() {
    let empty = SERVER.fresh_database("empty", |_| async {}).await;
    let owner_url = by_name(&empty.owner_url) + &verified();
    let role = Some("larder_tls_tests".to_owned());
    let options = migrate::UpOptions { runtime_role: role, ..migrate::UpOptions::default() };
    let url = migrate::up(&owner_url, &options).await.unwrap().runtime_role.url;
    let place = format!("@localhost:{}/{}{}", SERVER.address().port(), empty.name, verified());
    assert!(url.ends_with(&place), "the URL to serve with is not at {place}");

    let clock = clock();
    let store = store(PostgresOptions::new(url), &clock).await;
    let scope = found(&store, &clock).await;
    let item = add(&store, scope, 10, &clock).await;
    assert!(store.find_item(scope.inventory(), item).await.unwrap().is_some());

    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                     WHERE datname = current_database() AND usename = 'larder_tls_tests'";
    let mut administrator = PgConnection::connect(&empty.superuser_url).await.unwrap();
    let encrypted: Option<bool> =
        sqlx::query_scalar(encrypted).fetch_one(&mut administrator).await.unwrap();
    assert_eq!(encrypted, Some(true));
}

#[tokio::test]
async fn without_tls_the_server_refuses_and_the_reason_says_so() {
    let database = database_on(&SERVER).await;
    let refused = refusal(options(&database).url + "?sslmode=disable").await;
    let OpenError::Refused(sentence) = &refused else { panic!("{refused}") };
    assert!(sentence.contains("no encryption"), "{sentence}");
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_refused_and_the_reason_says_so() {
    let database = database_on(&SERVER).await;
    let refused = refusal(by_name(&options(&database).url) + "?sslmode=verify-full").await;
    assert!(refused.to_string().contains("invalid peer certificate: UnknownIssuer"), "{refused}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused_and_the_reason_says_so() {
    let database = database_on(&SERVER).await;
    let refused = refusal(options(&database).url + &verified()).await;
    assert!(refused.to_string().contains("certificate not valid for name"), "{refused}");
}
