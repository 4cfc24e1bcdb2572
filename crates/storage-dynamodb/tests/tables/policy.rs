//! The documented permissions are exactly those that are needed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use larder_storage_dynamodb::tables;
use serde_json::{Value, json};

use crate::account::Account;
use crate::at;
use crate::scripted::ScriptedEndpoint;

/// The actions of each policy in `docs/dynamodb.md`, in their order: of the server, and of `larder tables`.
fn documented() -> Vec<BTreeSet<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/dynamodb.md");
    let text = fs::read_to_string(path).expect("the documentation is there");
    let blocks = text.split("```json\n").skip(1).map(|block| block.split("```").next());
    let policies = blocks.map(|block| serde_json::from_str(block.unwrap_or_default()));
    policies.map(|policy| actions(&policy.expect("a policy is JSON"))).collect()
}

fn actions(policy: &Value) -> BTreeSet<String> {
    let actions = policy["Statement"][0]["Action"].as_array().expect("a policy has actions");
    let names = actions.iter().filter_map(|action| action.as_str()?.strip_prefix("dynamodb:"));
    names.map(str::to_owned).collect()
}

/// The operations of `create` with new tables, and with an incomplete one.
async fn asked_for_by_create() -> BTreeSet<String> {
    let mut account = Account::default();
    let declared = tables::create_table_json("policy-").expect("the prefix is allowed");
    let changes = declared.iter().find(|(name, _)| name == "policy-Changes");
    let (_, lacking) = changes.expect("change records are declared");
    let mut lacking: Value = serde_json::from_str(lacking).expect("the declaration is JSON");
    lacking.as_object_mut().expect("a request is an object").remove("GlobalSecondaryIndexes");
    lacking["DeletionProtectionEnabled"] = json!(false);
    account.answer("CreateTable", &lacking);
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let report = tables::create(&at(endpoint.url(), "policy-"), |_| {}).await;
    let report = report.expect("the account makes tables");
    assert!(report.is_as_declared(), "{report}");
    endpoint.asked().into_iter().collect()
}

#[tokio::test]
async fn creating_tables_needs_exactly_the_documented_permissions() {
    assert_eq!(asked_for_by_create().await, documented()[1]);
}

#[test]
fn neither_policy_lets_a_table_be_deleted() {
    let policies = documented();
    assert_eq!(policies.len(), 2);
    for policy in policies {
        assert!(!policy.contains("DeleteTable"), "{policy:?}");
    }
}
