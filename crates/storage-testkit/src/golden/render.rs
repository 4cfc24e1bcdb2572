//! Records as text that reviews well: one attribute per line.

use serde_json::{Map, Value};

/// An array of records in DynamoDB's JSON, formatted for a golden file.
pub(super) fn render(records: &Value) -> String {
    let records = records.as_array().expect("a golden file holds an array of records");
    let records = records.iter().map(|record| {
        let attributes = record.as_object().expect("a record is an object");
        format!("  {}", object(attributes, 2))
    });
    format!("[\n{}\n]\n", records.collect::<Vec<_>>().join(",\n"))
}

fn object(attributes: &Map<String, Value>, indent: usize) -> String {
    if attributes.is_empty() {
        return "{}".to_owned();
    }
    let margin = " ".repeat(indent);
    let lines = attributes.iter().map(|(name, value)| {
        let name = Value::from(name.as_str());
        match value.get("M").and_then(Value::as_object) {
            Some(inner) => format!("{margin}  {name}: {{\"M\":{}}}", object(inner, indent + 2)),
            None => format!("{margin}  {name}: {value}"),
        }
    });
    format!("{{\n{}\n{margin}}}", lines.collect::<Vec<_>>().join(",\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_attribute_stands_on_each_line_within_records_too() {
        let result = json!({"M": {"n": {"N": "1.5"}, "none": {"M": {}}}});
        let records = json!([{"PK": {"S": "a \"b\""}, "result": result}]);
        let expected = r#"[
  {
    "PK": {"S":"a \"b\""},
    "result": {"M":{
      "n": {"N":"1.5"},
      "none": {"M":{}}
    }}
  }
]
"#;
        assert_eq!(render(&records), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), records);
    }
}
