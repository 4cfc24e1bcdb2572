//! Databases that a store refuses to open, and the error texts.

use std::sync::Arc;

use larder_storage_postgres::{OpenError, PostgresOptions, PostgresStore};
use larder_test_servers::PostgresServer;

use crate::launch::{clock, database, options};

async fn refusal(options: PostgresOptions) -> OpenError {
    let opened = PostgresStore::open(options, clock() as _).await;
    opened.err().expect("the store must not open")
}

fn with_url(url: &str) -> PostgresOptions {
    PostgresOptions { min_connections: 0, ..PostgresOptions::new(url) }
}

#[tokio::test]
async fn a_superuser_and_the_owner_are_refused_with_what_to_do() {
    let database = database().await;
    for url in [&database.superuser_url, &database.owner_url] {
        let refused = refusal(with_url(url)).await;
        let OpenError::Refused(sentence) = &refused else { panic!("{refused}") };
        assert!(sentence.contains("larder migrate up"), "{sentence}");
    }
}

#[tokio::test]
async fn a_database_without_schema_is_refused_with_what_to_do() {
    let migrated = database().await;
    let empty = PostgresServer::shared().fresh_database("empty", |_| async {}).await;
    let url = options(&migrated).url.replace(&migrated.name, &empty.name);
    let refused = refusal(with_url(&url)).await;
    let OpenError::Refused(sentence) = &refused else { panic!("{refused}") };
    assert!(sentence.contains("larder migrate up"), "{sentence}");
}

#[tokio::test]
async fn a_wrong_password_is_no_reason_to_try_again() {
    let database = database().await;
    let url = options(&database).url.replace(":sesame@", ":guess@");
    let refused = refusal(with_url(&url)).await;
    assert!(matches!(refused, OpenError::Refused(_)), "{refused}");
    assert!(!refused.to_string().contains("guess"), "{refused}");
}

#[tokio::test]
async fn a_server_that_does_not_answer_may_answer_later() {
    let unreachable = refusal(with_url("postgres://larder:sesame@127.0.0.1:1/larder")).await;
    assert!(matches!(unreachable, OpenError::Unreachable(_)), "{unreachable}");
    assert!(unreachable.to_string().contains("refused"), "{unreachable}");
    assert!(!unreachable.to_string().contains("sesame"), "{unreachable}");
}

#[tokio::test]
async fn the_pool_keeps_within_its_limits() {
    let database = database().await;
    let options = PostgresOptions { min_connections: 2, max_connections: 3, ..options(&database) };
    let store = Arc::new(PostgresStore::open(options, clock() as _).await.unwrap());
    let asking = (0..20).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { larder_storage::Operations::ready(&*store).await.unwrap() })
    });
    for asked in asking.collect::<Vec<_>>() {
        asked.await.unwrap();
    }
    let connections = store.statistics().connections;
    assert!((2..=3).contains(&connections), "{connections}");
}
