//! `create` adds what is missing and leaves everything else unchanged.

use larder_storage_dynamodb::DynamoOptions;
use larder_storage_dynamodb::tables::{self, Difference, Feature, Report, TablesError};
use serde_json::json;

use crate::account::{Account, refusal};
use crate::scripted::ScriptedEndpoint;
use crate::{at, local, of};

/// Creates the tables; returns the remaining differences, and the progress lines.
async fn create(options: &DynamoOptions) -> (Report, Vec<String>) {
    let mut steps = Vec::new();
    let report = tables::create(options, |step| steps.push(step.to_owned())).await;
    (report.expect("the endpoint makes tables"), steps)
}

fn assert_said(steps: &[String], expected: &[&str]) {
    for step in expected {
        assert!(steps.iter().any(|said| said == step), "{step:?} is not in {steps:#?}");
    }
}

#[tokio::test]
async fn tables_made_on_dynamodb_local_are_as_declared() {
    let options = local("create-");
    let (report, steps) = create(&options).await;
    assert!(report.is_as_declared(), "{report}");
    assert_eq!(report, tables::verify(&options).await.unwrap());
    for table in &report.tables {
        let lacking = [Feature::PointInTimeRecovery, Feature::DeletionProtection];
        assert_eq!(table.unsupported, lacking, "{}", table.name);
    }
    assert_said(
        &steps,
        &[
            "create-InventoryManagement: creating",
            "create-InventoryManagement: turning on time to live by ttl",
            "create-Relational: creating",
            "create-grants: creating",
            "create-devices: creating",
            "create-device_readings: turning on time to live by expiration_time",
            "create-processed_batches: turning on time to live by expiration_time",
            "create-api_keys: creating",
            "create-Changes: point-in-time recovery: not supported by this endpoint",
        ],
    );
}

#[tokio::test]
async fn made_again_nothing_is_changed() {
    let options = local("again-");
    let (first, _) = create(&options).await;
    let (second, steps) = create(&options).await;
    assert_eq!(first, second);
    let touching = ["creating", "turning on", "adding"];
    let touched = |step: &&String| touching.iter().any(|word| step.contains(word));
    assert_eq!(steps.iter().find(touched), None);
    assert_said(&steps, &["again-Changes: is there already"]);
}

#[tokio::test]
async fn creating_waits_for_the_service_and_turns_everything_on() {
    let mut account = Account::default();
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let (report, steps) = create(&at(endpoint.url(), "real-")).await;
    assert!(report.is_as_declared(), "{report}");
    assert!(report.tables.iter().all(|table| table.unsupported.is_empty()), "{report}");
    assert_said(
        &steps,
        &[
            "real-Changes: creating",
            "real-Changes: waiting: CREATING, 0 s",
            "real-Changes: turning on time to live by ttl",
            "real-Changes: turning on point-in-time recovery",
            "real-Changes: waiting: setting up backups, 0 s",
        ],
    );
}

#[tokio::test]
async fn what_is_done_at_once_is_told_table_by_table() {
    let mut account = Account::default();
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let options = at(endpoint.url(), "order-");
    let (_, steps) = create(&options).await;
    let mut told: Vec<_> = steps.iter().map(|step| step.split(": ").next().unwrap()).collect();
    told.dedup();
    let declared = tables::declared(&options.prefix).unwrap();
    assert_eq!(told, declared.iter().map(|table| table.name.as_str()).collect::<Vec<_>>());
    let asked = endpoint.asked();
    let at = |wanted: &str| asked.iter().position(|operation| operation == wanted).unwrap();
    let created = asked.iter().take(at("UpdateContinuousBackups"));
    let created = created.filter(|operation| *operation == "CreateTable").count();
    assert_eq!(created, declared.len(), "no table waits for another: {asked:?}");
}

#[tokio::test]
async fn where_too_many_tables_are_made_at_once_a_table_waits_for_its_turn() {
    const LIMIT: &str = "There is a limit to the number of concurrent table creations";
    // The SDK itself makes four attempts.
    let (mut account, mut refusals) = (Account::default(), 4);
    let endpoint = ScriptedEndpoint::start(move |operation, body| {
        if operation == "CreateTable" && body["TableName"] == "turn-grants" && refusals > 0 {
            refusals -= 1;
            return refusal("LimitExceededException", LIMIT);
        }
        account.answer(operation, body)
    });
    let (report, steps) = create(&at(endpoint.url(), "turn-")).await;
    assert!(report.is_as_declared(), "{report}");
    let waits: Vec<_> = steps.iter().filter(|step| step.contains("for its turn")).collect();
    let expected = format!("turn-grants: waiting: for its turn ({LIMIT}), ");
    assert!(waits.len() == 1 && waits[0].starts_with(&expected), "{waits:?}");
}

#[tokio::test]
async fn a_table_that_cannot_be_made_fails_the_whole() {
    let mut account = Account::default();
    let endpoint = ScriptedEndpoint::start(move |operation, body| {
        if operation == "CreateTable" && body["TableName"] == "denied-grants" {
            return refusal("AccessDeniedException", "User bob is not authorized");
        }
        account.answer(operation, body)
    });
    let mut steps = Vec::new();
    let options = at(endpoint.url(), "denied-");
    let failed = tables::create(&options, |step| steps.push(step.to_owned())).await.unwrap_err();
    let TablesError::AccessDenied { operation, table, .. } = failed else { panic!("{failed}") };
    assert_eq!((operation, table.as_str()), ("CreateTable", "denied-grants"));
    assert_eq!(steps.last().map(String::as_str), Some("denied-grants: creating"));
}

#[tokio::test]
async fn an_endpoint_that_has_none_of_the_settings_gets_its_tables_all_the_same() {
    let mut account = Account::default();
    let endpoint = ScriptedEndpoint::start(move |operation, body| match operation {
        "DescribeTimeToLive" | "DescribeContinuousBackups" => {
            refusal("UnknownOperationException", "An unknown operation was requested.")
        }
        _ => {
            let (status, mut answer) = account.answer(operation, body);
            if let Some(table) = answer["Table"].as_object_mut() {
                table.remove("DeletionProtectionEnabled");
            }
            (status, answer)
        }
    });
    let (report, steps) = create(&at(endpoint.url(), "plain-")).await;
    assert!(report.is_as_declared(), "{report}");
    let all = [Feature::TimeToLive, Feature::PointInTimeRecovery, Feature::DeletionProtection];
    assert_eq!(of(&report, "plain-Changes").unsupported, all);
    assert_eq!(of(&report, "plain-Relational").unsupported, all[1..], "nothing in it expires");
    assert_said(&steps, &["plain-Changes: time to live: not supported by this endpoint"]);
}

#[tokio::test]
async fn tables_that_a_newer_version_needs_are_added_to_those_there_are() {
    let mut account = Account::default();
    for (name, request) in tables::create_table_json("older-").unwrap() {
        if ["InventoryManagement", "Relational", "Changes"].iter().any(|old| name.ends_with(old)) {
            account.answer("CreateTable", &serde_json::from_str(&request).unwrap());
        }
    }
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let options = at(endpoint.url(), "older-");
    let newer = ["grants", "devices", "device_readings", "processed_batches", "api_keys"]
        .map(|it| format!("older-{it}"));
    assert_eq!(tables::missing(&options).await.unwrap(), newer);
    let before = tables::verify(&options).await.unwrap();
    for name in &newer {
        assert_eq!(of(&before, name).differences, [Difference::TableMissing], "{name}");
    }

    let (report, steps) = create(&options).await;
    assert!(report.is_as_declared(), "{report}");
    let added: Vec<_> = newer.iter().map(|name| format!("{name}: creating")).collect();
    let made: Vec<_> = steps.iter().filter(|step| step.ends_with(": creating")).collect();
    assert_eq!(made, added.iter().collect::<Vec<_>>());
    assert_said(&steps, &["older-Changes: is there already"]);
    assert_eq!(tables::missing(&options).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn an_index_and_settings_that_a_table_lacks_are_added() {
    let mut account = Account::default();
    let (status, _) = account.answer("CreateTable", &without_index_and_protection("less-Changes"));
    assert_eq!(status, 200);
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let (report, steps) = create(&at(endpoint.url(), "less-")).await;
    assert!(report.is_as_declared(), "{report}");
    assert_said(
        &steps,
        &[
            "less-Changes: is there already",
            "less-Changes: adding the index ByRecord",
            "less-Changes: turning on deletion protection",
            "less-Changes: waiting: UPDATING, 0 s",
        ],
    );
}

#[tokio::test]
async fn a_table_with_other_keys_is_left_as_it_is() {
    let mut account = Account::default();
    let mut foreign = without_index_and_protection("foreign-Changes");
    foreign["KeySchema"] = json!([{ "AttributeName": "id", "KeyType": "HASH" }]);
    account.answer("CreateTable", &foreign);
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let (report, steps) = create(&at(endpoint.url(), "foreign-")).await;
    assert!(!report.is_as_declared());
    let declared = vec!["PK".to_owned(), "SK".to_owned()];
    let keys = Difference::Keys { declared, found: vec!["id".to_owned()] };
    assert_eq!(
        of(&report, "foreign-Changes").differences,
        [
            keys,
            Difference::IndexMissing { index: "ByRecord".to_owned() },
            Difference::TimeToLiveOff { declared: "ttl".to_owned() },
            Difference::PointInTimeRecoveryOff,
            Difference::DeletionProtectionOff,
        ]
    );
    assert_said(&steps, &["foreign-Changes: left as it is: its keys are id, not PK + SK"]);
    assert!(!endpoint.asked().contains(&"UpdateTable".to_owned()), "{:?}", endpoint.asked());
}

/// A request for a table with the right keys and nothing else.
fn without_index_and_protection(name: &str) -> serde_json::Value {
    json!({
        "TableName": name,
        "AttributeDefinitions": [
            { "AttributeName": "PK", "AttributeType": "S" },
            { "AttributeName": "SK", "AttributeType": "S" },
        ],
        "KeySchema": [
            { "AttributeName": "PK", "KeyType": "HASH" },
            { "AttributeName": "SK", "KeyType": "RANGE" },
        ],
        "BillingMode": "PAY_PER_REQUEST",
        "DeletionProtectionEnabled": false,
    })
}
