//! A simulated account of the real service: table changes take a moment, and point-in-time recovery
//! and deletion protection exist.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::scripted::Answer;

/// The number of polls before a change of a table is done.
const LOOKS: u32 = 1;

const INDEXES: &str = "GlobalSecondaryIndexes";

/// The tables of an account, in the form of `DescribeTable`.
#[derive(Default)]
pub(crate) struct Account {
    tables: BTreeMap<String, AccountTable>,
}

#[derive(Default)]
struct AccountTable {
    description: Map<String, Value>,
    ttl: Option<Value>,
    is_recoverable: bool,
    looks_until_active: u32,
    refusals_of_recovery: u32,
}

impl Account {
    /// Answers like the service.
    pub(crate) fn answer(&mut self, operation: &str, body: &Value) -> Answer {
        let name = body["TableName"].as_str().expect("every request names a table").to_owned();
        if operation == "CreateTable" {
            return self.create(name, body);
        }
        let Some(table) = self.tables.get_mut(&name) else {
            return refusal("ResourceNotFoundException", "Requested resource not found");
        };
        match operation {
            "DescribeTable" => (200, json!({ "Table": table.look() })),
            "UpdateTable" => table.update(body),
            "DescribeTimeToLive" => {
                let status = if table.ttl.is_some() { "ENABLED" } else { "DISABLED" };
                let description =
                    json!({ "TimeToLiveStatus": status, "AttributeName": table.ttl.clone() });
                (200, json!({ "TimeToLiveDescription": description }))
            }
            "UpdateTimeToLive" => {
                let specification = &body["TimeToLiveSpecification"];
                table.ttl = Some(specification["AttributeName"].clone());
                (200, json!({ "TimeToLiveSpecification": specification }))
            }
            "DescribeContinuousBackups" => (200, table.backups()),
            "UpdateContinuousBackups" if table.refusals_of_recovery > 0 => {
                table.refusals_of_recovery -= 1;
                refusal("ContinuousBackupsUnavailableException", "Backups are being enabled")
            }
            "UpdateContinuousBackups" => {
                table.is_recoverable = true;
                (200, table.backups())
            }
            other => panic!("{other} is never asked for"),
        }
    }

    fn create(&mut self, name: String, body: &Value) -> Answer {
        let mut description = body.as_object().expect("a request is an object").clone();
        if description.get(INDEXES) == Some(&json!([])) {
            return refusal("ValidationException", "List of GlobalSecondaryIndexes is empty");
        }
        let billing = description.remove("BillingMode");
        description.insert("BillingModeSummary".into(), json!({ "BillingMode": billing }));
        description.insert("TableStatus".into(), "CREATING".into());
        let answer = json!({ "TableDescription": description });
        let table = AccountTable {
            description,
            looks_until_active: LOOKS,
            refusals_of_recovery: 1,
            ..AccountTable::default()
        };
        self.tables.insert(name, table);
        (200, answer)
    }
}

impl AccountTable {
    /// The table; a change in progress completes after enough polls.
    fn look(&mut self) -> &Map<String, Value> {
        if self.looks_until_active > 0 {
            self.looks_until_active -= 1;
        } else {
            self.description.insert("TableStatus".into(), "ACTIVE".into());
            let indexes = self.description.get_mut(INDEXES).and_then(Value::as_array_mut);
            for index in indexes.into_iter().flatten() {
                index["IndexStatus"] = "ACTIVE".into();
            }
        }
        &self.description
    }

    fn update(&mut self, body: &Value) -> Answer {
        if let Some(update) = body["GlobalSecondaryIndexUpdates"][0].get("Create") {
            let mut index = update.clone();
            index["IndexStatus"] = "CREATING".into();
            let indexes = self.description.entry(INDEXES).or_insert_with(|| json!([]));
            indexes.as_array_mut().expect("indexes are a list").push(index);
        }
        if let Some(is_protected) = body.get("DeletionProtectionEnabled") {
            self.description.insert("DeletionProtectionEnabled".into(), is_protected.clone());
        }
        self.description.insert("TableStatus".into(), "UPDATING".into());
        self.looks_until_active = LOOKS;
        (200, json!({ "TableDescription": self.description }))
    }

    fn backups(&self) -> Value {
        let status = if self.is_recoverable { "ENABLED" } else { "DISABLED" };
        json!({ "ContinuousBackupsDescription": {
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": { "PointInTimeRecoveryStatus": status },
        } })
    }
}

/// A refusal as the service words it.
pub(crate) fn refusal(kind: &str, message: &str) -> Answer {
    (
        400,
        json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{kind}"), "message": message }),
    )
}
