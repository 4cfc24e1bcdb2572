//! One store of every kind, under one clock.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use larder_storage::{ManualClock, Result, Store};
use larder_storage_dynamodb::{AccessKey, DynamoEngine, DynamoOptions, tables};
use larder_storage_embedded::{Durability, EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{ItemStore, ReadingEngine, RecordEngine};
use larder_storage_postgres::{PostgresOptions, PostgresStore, migrate};
use larder_storage_testkit::START;
use larder_test_servers::{Database, DynamoDbLocal, PostgresServer};
use tempfile::TempDir;

use super::household::agree;

/// All stores, and the resources that they need.
pub(super) struct Stores {
    pub(super) all: Vec<(&'static str, Arc<dyn Store>)>,
    pub(super) clock: Arc<ManualClock>,
    _directory: TempDir,
    _database: Database<String>,
}

impl Stores {
    /// No other test of this process has this name.
    pub(super) async fn open(name: &'static str) -> Self {
        let (directory, clock) = (TempDir::new().unwrap(), Arc::new(ManualClock::new(START)));
        let database = PostgresServer::shared()
            .fresh_database(name, |empty| async move {
                let options = migrate::UpOptions {
                    password: Some(migrate::Password::new(PASSWORD)),
                    ..migrate::UpOptions::default()
                };
                migrate::up(&empty.owner_url, &options).await.unwrap().runtime_role.name
            })
            .await;
        let all = vec![
            ("embedded", over(embedded(&directory, &clock), &clock)),
            ("DynamoDB", over(dynamodb(name, &clock).await, &clock)),
            ("PostgreSQL", postgres(&database, &clock).await),
        ];
        Self { all, clock, _directory: directory, _database: database }
    }

    /// Calls every store. They must answer alike, and none may fail.
    pub(super) async fn everywhere<'a, T: Debug + PartialEq, F: Future<Output = Result<T>>>(
        &'a self,
        ask: impl Fn(&'a Arc<dyn Store>) -> F,
    ) -> Result<T, String> {
        let mut first = None;
        for (name, store) in &self.all {
            let answer = ask(store).await.map_err(|error| format!("{name} failed: {error}"))?;
            match &first {
                None => first = Some(answer),
                Some(first) => agree(name, &answer, first)?,
            }
        }
        Ok(first.expect("there are stores"))
    }
}

const PASSWORD: &str = "sesame";

fn over<E: RecordEngine + ReadingEngine>(engine: E, clock: &Arc<ManualClock>) -> Arc<dyn Store> {
    Arc::new(ItemStore::new(Arc::new(engine), Arc::clone(clock) as _))
}

pub(super) fn embedded(directory: &TempDir, clock: &Arc<ManualClock>) -> EmbeddedEngine {
    // Only answers are compared and no process is killed, so flushes do not matter.
    let options = EmbeddedOptions { durability: Durability::Relaxed, ..EmbeddedOptions::default() };
    EmbeddedEngine::open(directory.path(), Arc::clone(clock) as _, options).unwrap()
}

/// No other test of this process has this name.
pub(super) async fn dynamodb(name: &str, clock: &Arc<ManualClock>) -> DynamoEngine {
    let options = DynamoOptions {
        region: Some("eu-central-1".to_owned()),
        endpoint: Some(DynamoDbLocal::shared().endpoint()),
        access_key: Some(AccessKey { id: name.to_owned(), secret: "none".to_owned() }),
        // Slowness of a loaded machine is not under test.
        deadline: Duration::from_mins(1),
        attempt_timeout: Duration::from_secs(20),
        ..DynamoOptions::default()
    };
    tables::create(&options, |_| {}).await.unwrap();
    DynamoEngine::open(options, Arc::clone(clock) as _).await.unwrap()
}

async fn postgres(database: &Database<String>, clock: &Arc<ManualClock>) -> Arc<dyn Store> {
    let options = PostgresOptions::new(database.url(&database.prepared, PASSWORD));
    Arc::new(PostgresStore::open(options, Arc::clone(clock) as _).await.unwrap())
}
