//! Migrations: up, down, step by step, concurrently, and with obstacles.

use std::path::Path;

use larder_storage_postgres::migrate::{self, Error, MigrationState, UpOptions, down, status, up};
use sqlx::migrate::Migrator;

use crate::{
    catalog,
    support::{NEWEST, connect, empty_database, run, texts},
};

async fn migrator() -> Migrator {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    Migrator::new(directory).await.expect("the migrations are beside this crate")
}

fn role(name: &str) -> UpOptions {
    UpOptions { runtime_role: Some(name.to_owned()), ..UpOptions::default() }
}

#[tokio::test]
async fn each_down_migration_leaves_exactly_what_was_there_before_its_up_migration() {
    let database = empty_database().await;
    let mut owner = connect(&database.owner_url).await;
    let migrator = migrator().await;
    // The table of applied migrations is created by the first and remains until all are reverted.
    migrator.run_to(0, &mut owner).await.unwrap();
    let mut before = vec![catalog::dump(&mut owner).await];
    let versions: Vec<_> =
        migrator.iter().filter(|m| m.migration_type.is_up_migration()).map(|m| m.version).collect();
    for version in &versions {
        migrator.run_to(*version, &mut owner).await.unwrap();
        let after = catalog::dump(&mut owner).await;
        assert_ne!(before.last(), Some(&after), "migration {version} changes something");
        before.push(after);
    }
    for version in versions.iter().rev() {
        let full = before.pop().unwrap();
        assert_eq!(catalog::dump(&mut owner).await, full, "before going down from {version}");
        migrator.undo(&mut owner, version - 1).await.unwrap();
        assert_eq!(&catalog::dump(&mut owner).await, before.last().unwrap(), "down from {version}");
        migrator.run_to(*version, &mut owner).await.unwrap();
        assert_eq!(catalog::dump(&mut owner).await, full, "up again to {version}");
        migrator.undo(&mut owner, version - 1).await.unwrap();
    }
}

#[tokio::test]
async fn a_schema_that_grew_step_by_step_equals_a_fresh_one() {
    let (fresh, grown) = (empty_database().await, empty_database().await);
    up(&fresh.owner_url, &role("larder_grown")).await.unwrap();
    let mut owner = connect(&grown.owner_url).await;
    let migrator = migrator().await;
    for version in 1..=NEWEST {
        migrator.run_to(version, &mut owner).await.unwrap();
        up(&grown.owner_url, &role("larder_grown")).await.unwrap();
        down(&grown.owner_url, version).await.unwrap();
    }
    let report = up(&grown.owner_url, &role("larder_grown")).await.unwrap();
    assert_eq!(report.applied, []);
    let mut fresh = connect(&fresh.owner_url).await;
    assert_eq!(catalog::dump(&mut owner).await, catalog::dump(&mut fresh).await);
}

#[tokio::test]
async fn going_down_to_zero_leaves_nothing_and_going_up_again_the_same_as_before() {
    let database = empty_database().await;
    let mut owner = connect(&database.owner_url).await;
    let empty = catalog::dump(&mut owner).await;
    let report = up(&database.owner_url, &role("larder_round")).await.unwrap();
    let versions: Vec<_> = report.applied.iter().map(|name| name.version).collect();
    assert_eq!(versions, (1..=NEWEST).collect::<Vec<_>>());
    assert_eq!(report.applied[0].description, "create inventory schema");
    let full = catalog::dump(&mut owner).await;

    let reverted = down(&database.owner_url, 0).await.unwrap();
    let reverted: Vec<_> = reverted.iter().map(|name| name.version).collect();
    assert_eq!(reverted, (1..=NEWEST).rev().collect::<Vec<_>>());
    assert_eq!(catalog::dump(&mut owner).await, empty);

    up(&database.owner_url, &role("larder_round")).await.unwrap();
    assert_eq!(catalog::dump(&mut owner).await, full);
}

#[tokio::test]
async fn the_status_tells_applied_from_pending_changed_and_unknown() {
    use MigrationState::{Applied, Changed, Pending, Unknown};
    let database = empty_database().await;
    let states = async || {
        let status = status(&database.owner_url).await.unwrap();
        status.iter().map(|m| (m.name.version, m.state)).collect::<Vec<_>>()
    };
    let pending: Vec<_> = (1..=NEWEST).map(|version| (version, Pending)).collect();
    assert_eq!(states().await, pending);
    let mut owner = connect(&database.owner_url).await;
    assert_eq!(catalog::tables(&mut owner).await, [""; 0], "asking changes nothing");

    up(&database.owner_url, &role("larder_status")).await.unwrap();
    down(&database.owner_url, 3).await.unwrap();
    let halfway = [&[(1, Applied), (2, Applied), (3, Applied)], &pending[3..]].concat();
    assert_eq!(states().await, halfway);

    run(&mut owner, "UPDATE _sqlx_migrations SET checksum = '\\x00' WHERE version = 2").await;
    run(
        &mut owner,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (900, 'from the future', true, '\\x00', 0)",
    )
    .await;
    let changed = [(1, Applied), (2, Changed), (3, Applied)];
    assert_eq!(states().await, [&changed, &pending[3..], &[(900, Unknown)]].concat());
}

#[tokio::test]
async fn a_database_that_another_release_migrated_is_left_alone() {
    let database = empty_database().await;
    up(&database.owner_url, &role("larder_other_release")).await.unwrap();
    let mut owner = connect(&database.owner_url).await;
    let untouched = catalog::dump(&mut owner).await;

    run(&mut owner, "UPDATE _sqlx_migrations SET checksum = '\\x00' WHERE version = 2").await;
    let error = up(&database.owner_url, &UpOptions::default()).await.unwrap_err();
    assert!(matches!(error, Error::Changed { version: 2 }), "{error}");

    run(
        &mut owner,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (900, 'from the future', true, '\\x00', 0)",
    )
    .await;
    for error in [
        up(&database.owner_url, &UpOptions::default()).await.unwrap_err(),
        down(&database.owner_url, 0).await.unwrap_err(),
    ] {
        assert!(
            matches!(error, Error::DatabaseIsNewer { version: 900, newest: NEWEST }),
            "{error}"
        );
    }
    assert_eq!(catalog::dump(&mut owner).await, untouched);
}

#[tokio::test]
async fn only_known_versions_can_be_gone_back_to() {
    let database = empty_database().await;
    let error = down(&database.owner_url, 42).await.unwrap_err();
    let text = format!("there is no migration 42 to go back to; name 0 to {NEWEST}");
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn several_that_migrate_at_once_wait_for_each_other() {
    let database = empty_database().await;
    let one = || {
        let url = database.owner_url.clone();
        tokio::spawn(async move { up(&url, &role("larder_at_once")).await.unwrap() })
    };
    let mut applied = Vec::new();
    for task in [one(), one(), one(), one()] {
        applied.push(task.await.unwrap().applied.len());
    }
    applied.sort_unstable();
    assert_eq!(applied, [0, 0, 0, usize::try_from(NEWEST).unwrap()]);
}

#[tokio::test]
async fn two_databases_of_one_server_can_get_the_same_role_at_once() {
    let (one, two) = (empty_database().await, empty_database().await);
    let migrate = |url: String| {
        tokio::spawn(async move { up(&url, &role("larder_two_homes")).await.unwrap() })
    };
    let (one, two) = (migrate(one.owner_url), migrate(two.owner_url));
    let new =
        [one.await.unwrap(), two.await.unwrap()].map(|report| report.runtime_role.has_password);
    assert_eq!(new.into_iter().filter(|has_password| *has_password).count(), 1);
}

#[tokio::test]
async fn everything_lives_in_the_schema_of_the_connection() {
    let database = empty_database().await;
    let mut owner = connect(&database.owner_url).await;
    run(&mut owner, "CREATE SCHEMA pantry").await;
    let url = format!("{}?options=-csearch_path%3Dpantry", database.owner_url);
    let report = up(&url, &role("larder_pantry")).await.unwrap();
    assert_eq!(report.applied.len(), usize::try_from(NEWEST).unwrap());
    assert_eq!(catalog::tables(&mut owner).await, [""; 0]);
    let sql = "SELECT DISTINCT setting FROM pg_proc, unnest(proconfig) AS setting
               WHERE pronamespace = 'pantry'::regnamespace AND setting LIKE 'search_path=%'";
    assert_eq!(texts(&mut owner, sql).await, ["search_path=pantry, pg_temp"]);
    let mut runtime = connect(&report.runtime_role.url).await;
    migrate::check_runtime_role(&mut runtime).await.unwrap();
}
