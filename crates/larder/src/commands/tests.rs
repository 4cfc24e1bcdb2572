use clap::Parser;

use super::*;
use crate::cli::{Cli, Command};

/// The result of a command line: exit code and answer, or exit code and error.
async fn run(line: &[&str], variables: &[(&str, &str)]) -> (u8, String) {
    let environment = |name: &str| {
        variables.iter().find(|(given, _)| *given == name).map(|(_, value)| OsString::from(value))
    };
    let (mut answer, mut progress) = (Vec::new(), Vec::new());
    let console = Console { answer: &mut answer, progress: &mut progress };
    let result = match Cli::try_parse_from(line).unwrap().into_command() {
        Command::Tables(command) => tables(&command, &environment, console).await,
        Command::Migrate(command) => migrate(&command, &environment, console).await,
        Command::Reconcile(store) => reconcile(&store, &environment, console).await,
        Command::Resources(command) => resources(&command, &environment, console).await,
        Command::DeadLetters(command) => dead_letters(&command, &environment, console).await,
        Command::Serve(_) | Command::Simulate(_) => panic!("neither is such a command"),
    };
    match result {
        Ok(code) => (code, String::from_utf8(answer).unwrap()),
        Err(error) => (error.exit_code(), error.to_string()),
    }
}

#[tokio::test]
async fn a_command_in_the_wrong_place_makes_no_store() {
    let elsewhere = tempfile::tempdir().unwrap();
    let directory = elsewhere.path().join("larder-data");
    let store = directory.to_str().unwrap();
    for line in [
        &["larder", "reconcile", "--store", store][..],
        &["larder", "dead-letters", "list", "--store", store],
        &["larder", "dead-letters", "retry", "--store", store],
    ] {
        let refusal = format!("there is no store in {store}: name one by --store");
        assert_eq!(run(line, &[]).await, (2, refusal));
    }
    assert!(!directory.exists());
}

#[tokio::test]
async fn an_empty_store_has_nothing_to_repair_and_no_dead_letters() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().to_str().unwrap();
    let (code, report) = run(&["larder", "reconcile", "--store", store], &[]).await;
    assert_eq!(code, 0);
    let total = report.lines().last();
    assert_eq!(total, Some("       0  repaired in all, in 0 households"), "{report}");
    let list = run(&["larder", "dead-letters", "list", "--store", store], &[]).await;
    assert_eq!(list, (0, String::new()));
    let retry = run(&["larder", "dead-letters", "retry", "--store", store], &[]).await;
    assert_eq!(retry, (0, "0 are due again\n".to_owned()));
}

#[cfg(feature = "dynamodb")]
#[tokio::test]
async fn tables_are_for_dynamodb_alone() {
    let needs = |store: &str| {
        format!(
            "`larder tables` works on a DynamoDB store, but the store is {store}: give one such as \
             --store 'dynamodb:?region=eu-central-1'"
        )
    };
    for verb in ["create", "verify"] {
        assert_eq!(run(&["larder", "tables", verb], &[]).await, (2, needs("not given")));
        let line = ["larder", "tables", verb, "--store", "./here"];
        assert_eq!(run(&line, &[]).await, (2, needs("./here")));
    }
    let elsewhere = [("LARDER_STORE", "./there")];
    let line = ["larder", "tables", "describe"];
    assert_eq!(run(&line, &elsewhere).await, (2, needs("./there")));
}

#[cfg(feature = "dynamodb")]
#[tokio::test]
async fn tables_are_described_with_their_prefix_and_without_a_network() {
    let (code, text) = run(&["larder", "tables", "describe"], &[]).await;
    assert_eq!(code, 0);
    assert!(text.starts_with("InventoryManagement\n"), "{text}");

    let line = ["larder", "tables", "describe", "--json", "--store", "dynamodb:?prefix=home-"];
    let (code, text) = run(&line, &[]).await;
    assert_eq!(code, 0);
    let tables: serde_json::Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = tables
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["TableName"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 8);
    assert_eq!(
        (names[0], names[2], names[7]),
        ("home-InventoryManagement", "home-grants", "home-Changes")
    );
}

#[cfg(feature = "dynamodb")]
#[tokio::test]
async fn a_prefix_that_no_table_can_have_is_refused() {
    let line = ["larder", "tables", "describe", "--store", "dynamodb:?prefix=my%20home"];
    let (code, refusal) = run(&line, &[]).await;
    assert_eq!(code, 1);
    assert!(refusal.contains("my homeInventoryManagement"), "{refusal}");
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn migrations_are_for_postgresql_alone() {
    let needs = |store: &str| {
        format!(
            "`larder migrate` works on a PostgreSQL store, but the store is {store}: give one such \
             as --store 'postgres://owner@host/database'"
        )
    };
    for verb in ["up", "down", "status"] {
        assert_eq!(run(&["larder", "migrate", verb], &[]).await, (2, needs("not given")));
        let line = ["larder", "migrate", verb, "--store", "./here"];
        assert_eq!(run(&line, &[]).await, (2, needs("./here")));
    }
}

#[cfg(all(feature = "dynamodb", feature = "postgres"))]
#[tokio::test]
async fn a_store_of_the_other_engine_is_named_without_its_password() {
    let variables = [("LARDER_STORE", "postgres://anna:hunter2@db/larder?password=hunter2")];
    let (code, refusal) = run(&["larder", "tables", "verify"], &variables).await;
    assert_eq!(code, 2);
    assert!(refusal.contains("the store is postgres://db/larder: "), "{refusal}");

    let line = ["larder", "migrate", "status", "--store", "dynamodb:?prefix=home-"];
    let (code, refusal) = run(&line, &[]).await;
    assert_eq!(code, 2);
    assert!(refusal.contains("the store is dynamodb:?prefix=home-: "), "{refusal}");
}

#[cfg(not(feature = "dynamodb"))]
#[tokio::test]
async fn a_build_without_dynamodb_says_so() {
    assert_eq!(
        run(&["larder", "tables", "create", "--store", "dynamodb:"], &[]).await,
        (
            2,
            "`larder tables` works on a DynamoDB store, but this build does not have that engine: \
             build Larder with the feature dynamodb"
                .to_owned()
        )
    );
}

#[cfg(not(feature = "postgres"))]
#[tokio::test]
async fn a_build_without_postgresql_says_so() {
    assert_eq!(
        run(&["larder", "migrate", "up", "--store", "postgres://db"], &[]).await,
        (
            2,
            "`larder migrate` works on a PostgreSQL store, but this build does not have that engine: \
             build Larder with the feature postgres"
                .to_owned()
        )
    );
}
