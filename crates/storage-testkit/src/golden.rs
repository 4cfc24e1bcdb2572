//! Golden files: every kind of record as stored, in DynamoDB's JSON.
//!
//! A [`Scenario`] writes every kind of record through the ports, with fixed ids and times. On every
//! engine the records equal those in the folder `golden`: moving a household between engines is a
//! copy, and a change of the layout shows up in review.

mod diff;
mod recorder;
mod render;
mod scenario;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use larder_storage_item::{Record, Table, Value};
use serde_json::{Map, json};

pub use recorder::{Recorder, Recording};
pub use scenario::Scenario;

/// If set to `1`, the checks write the files instead of comparing.
pub const UPDATE_VARIABLE: &str = "LARDER_UPDATE_GOLDEN";

/// A record as DynamoDB's API shows it: each value under the letter of its type.
pub fn to_dynamodb_json(record: &Record) -> serde_json::Value {
    let attributes = record.iter().map(|(name, value)| (name.to_owned(), typed(value)));
    serde_json::Value::Object(attributes.collect::<Map<_, _>>())
}

fn typed(value: &Value) -> serde_json::Value {
    match value {
        Value::S(text) => json!({ "S": text }),
        Value::B(bytes) => json!({ "B": bytes }),
        Value::N(number) => json!({ "N": number.to_string() }),
        Value::Bool(flag) => json!({ "BOOL": flag }),
        Value::Null => json!({ "NULL": true }),
        Value::L(values) => json!({ "L": values.iter().map(typed).collect::<Vec<_>>() }),
        Value::M(record) => json!({ "M": to_dynamodb_json(record) }),
    }
}

/// Fails with a diff unless these records, in DynamoDB's JSON, equal the golden file of this name.
pub fn check_json(name: &str, records: &serde_json::Value) {
    let path = file(&folder(), name);
    if is_updating() {
        fs::create_dir_all(path.parent().expect("the file is in the golden folder")).unwrap();
        fs::write(&path, render::render(records)).unwrap();
    } else {
        compare(&folder(), name, records);
    }
}

fn compare(folder: &Path, name: &str, records: &serde_json::Value) {
    let text = fs::read_to_string(file(folder, name));
    let text = text.unwrap_or_else(|error| panic!("no golden file {name}.json: {error}"));
    let golden = serde_json::from_str(&text).expect("a golden file is JSON");
    let differences = diff::differences(&golden, records);
    assert!(
        differences.is_empty(),
        "records differ from golden/{name}.json; if they should, run with {UPDATE_VARIABLE}=1:\n{}",
        differences.join("\n")
    );
}

/// Checks all records of a stage, each kind against its own file, so that none is missed. Returns
/// the names of the files.
pub fn check_stage(stage: &str, records: &[(Table, Record)]) -> BTreeSet<String> {
    let mut kinds = BTreeMap::<String, Vec<serde_json::Value>>::new();
    for (table, record) in records {
        let record = to_dynamodb_json(record);
        kinds.entry(format!("{stage}/{}", kind_of(*table, &record))).or_default().push(record);
    }
    let mut used = BTreeSet::new();
    for (name, records) in kinds {
        check_json(&name, &serde_json::Value::Array(records));
        used.insert(name);
    }
    used
}

/// The type attribute of a record in DynamoDB's JSON, or the one kind of record of its table.
pub fn kind_of(table: Table, record: &serde_json::Value) -> &str {
    if table.key_names().pk != "PK" {
        return table.name();
    }
    let said = ["entityType", "_recordType"].map(|name| record[name]["S"].as_str());
    let kind = said.into_iter().flatten().next();
    kind.unwrap_or_else(|| panic!("a record does not say what it is: {record}"))
}

/// Fails if a golden file was not used by any check. An update deletes it instead.
pub fn check_none_is_unused(used: &BTreeSet<String>) {
    let unused: Vec<_> = names(&folder()).difference(used).cloned().collect();
    if is_updating() {
        for name in unused {
            fs::remove_file(file(&folder(), &name)).unwrap();
        }
    } else {
        assert_eq!(unused, Vec::<String>::new(), "golden files that no check uses");
    }
}

fn is_updating() -> bool {
    std::env::var_os(UPDATE_VARIABLE).is_some_and(|value| value == "1")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.json"))
}

/// The golden files below a folder, as checks name them.
fn names(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().expect("entries have names").to_string_lossy().into_owned();
        if path.is_dir() {
            names.extend(self::names(&path).into_iter().map(|name| format!("{stem}/{name}")));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            names.insert(stem);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use larder_storage_item::Number;
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn every_type_of_value_has_its_letter() {
        let inner = Record::new().with("deep", Value::L(vec![Value::Null, "x".into()]));
        let record = Record::new()
            .with("b", true)
            .with("m", Value::M(inner))
            .with("n", Number::new(150, -2).unwrap())
            .with("s", "text");
        let expected = r#"{"b":{"BOOL":true},"m":{"M":{"deep":{"L":[{"NULL":true},{"S":"x"}]}}},"n":{"N":"1.5"},"s":{"S":"text"}}"#;
        assert_eq!(to_dynamodb_json(&record).to_string(), expected);
    }

    fn folder_with(files: &[&str], records: &serde_json::Value) -> TempDir {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("stage")).unwrap();
        for name in files {
            fs::write(file(folder.path(), name), render::render(records)).unwrap();
        }
        folder
    }

    #[test]
    fn records_are_compared_with_the_file_of_their_name() {
        let records = json!([{"PK": {"S": "p"}, "SK": {"S": "s"}, "n": {"N": "1"}}]);
        compare(folder_with(&["stage/Kind"], &records).path(), "stage/Kind", &records);
    }

    #[test]
    #[should_panic(expected = "n: {\"N\":\"2\"} was written")]
    fn a_record_that_differs_fails_the_check() {
        let records = json!([{"PK": {"S": "p"}, "SK": {"S": "s"}, "n": {"N": "1"}}]);
        let changed = json!([{"PK": {"S": "p"}, "SK": {"S": "s"}, "n": {"N": "2"}}]);
        compare(folder_with(&["stage/Kind"], &records).path(), "stage/Kind", &changed);
    }

    #[test]
    #[should_panic(expected = "no golden file stage/Other.json")]
    fn a_kind_without_a_file_fails_the_check() {
        compare(folder_with(&["stage/Kind"], &json!([])).path(), "stage/Other", &json!([]));
    }

    #[test]
    #[should_panic(expected = "does not say what it is")]
    fn a_record_of_no_kind_fails_the_check() {
        let record = Record::new().with("PK", "p").with("SK", "s");
        check_stage("stage", &[(Table::InventoryManagement, record)]);
    }

    #[test]
    fn records_of_a_table_of_one_kind_need_not_say_what_they_are() {
        let record = json!({"hardware_id": {"S": "AA:BB:CC:DD:EE:FF"}});
        assert_eq!(kind_of(Table::Devices, &record), "devices");
        let member = json!({"PK": {"S": "p"}, "entityType": {"S": "Member"}});
        assert_eq!(kind_of(Table::InventoryManagement, &member), "Member");
    }

    #[test]
    fn every_golden_file_is_found_and_nothing_else() {
        let folder = folder_with(&["Loose", "stage/Kind"], &json!([]));
        fs::write(folder.path().join("README.md"), "").unwrap();
        assert_eq!(names(folder.path()), ["Loose", "stage/Kind"].map(str::to_owned).into());
    }
}
