use larder_storage_item::Value;

use super::*;

const AT_NOON: Conditions = Conditions { table: Table::InventoryManagement, now_s: 1000 };
const RELATIONAL: Conditions = Conditions { table: Table::Relational, now_s: 1000 };

/// The expression with the names and values in the place of their marks.
fn shown(expression: &str, marks: &Placeholders) -> String {
    let mut text = expression.to_owned();
    let mut pairs: Vec<(String, String)> = marks.names().unwrap_or_default().into_iter().collect();
    for (mark, value) in marks.values().unwrap_or_default() {
        let value = match value {
            AttributeValue::N(number) => number,
            AttributeValue::S(text) => format!("'{text}'"),
            other => format!("{other:?}"),
        };
        pairs.push((mark, value));
    }
    // The longest first: `#1` begins `#10`.
    pairs.sort_by_key(|(mark, _)| std::cmp::Reverse(mark.len()));
    for (mark, value) in pairs {
        text = text.replace(&mark, &value);
    }
    text
}

fn condition(conditions: Conditions, when: &[Condition]) -> Option<String> {
    let mut marks = Placeholders::default();
    conditions.all(when, &mut marks).map(|expression| shown(&expression, &marks))
}

#[test]
fn no_conditions_are_no_expression() {
    assert_eq!(condition(AT_NOON, &[]), None);
    let marks = Placeholders::default();
    assert_eq!((marks.names(), marks.values()), (None, None));
}

#[test]
fn the_expired_is_absent_where_records_expire_and_only_there() {
    let live = "attribute_exists(PK) AND NOT (ttl <= 1000)";
    let absent = "(attribute_not_exists(PK) OR ttl <= 1000)";
    let exists = [Condition::Exists];
    assert_eq!(condition(AT_NOON, &exists).as_deref(), Some(live));
    assert_eq!(condition(AT_NOON, &[Condition::NotExists]).as_deref(), Some(absent));
    assert_eq!(condition(RELATIONAL, &exists).as_deref(), Some("attribute_exists(PK)"));
    let absent = "attribute_not_exists(PK)";
    assert_eq!(condition(RELATIONAL, &[Condition::NotExists]).as_deref(), Some(absent));
}

#[test]
fn existence_is_asked_of_the_tables_own_key() {
    for (table, expected) in [
        (Table::ProcessedBatches, "(attribute_not_exists(batch_id) OR expiration_time <= 1000)"),
        (Table::DeviceReadings, "(attribute_not_exists(hardware_id) OR expiration_time <= 1000)"),
        (Table::Devices, "attribute_not_exists(hardware_id)"),
        (Table::ApiKeys, "attribute_not_exists(key_id)"),
    ] {
        let conditions = Conditions { table, now_s: 1000 };
        let absent = condition(conditions, &[Condition::NotExists]);
        assert_eq!(absent.as_deref(), Some(expected), "{table:?}");
    }
}

#[test]
fn every_condition_also_asks_that_the_record_is_there() {
    for (one, expected) in [
        (Condition::Equals("name".into(), "Milk".into()), "name = 'Milk'"),
        (Condition::Absent("deleting".into()), "attribute_not_exists(deleting)"),
        (Condition::AtLeast("n".into(), Number::from(2)), "n >= 2"),
        (Condition::AtMost("n".into(), Number::from(-1)), "n <= -1"),
    ] {
        let expected = format!("{expected} AND attribute_exists(PK)");
        assert_eq!(condition(RELATIONAL, &[one]), Some(expected));
    }
}

#[test]
fn no_text_of_a_record_is_part_of_an_expression() {
    let sly = "x OR attribute_exists(PK)";
    let mut marks = Placeholders::default();
    let when = [Condition::Equals(sly.into(), sly.into())];
    let expression = RELATIONAL.all(&when, &mut marks).unwrap();
    assert_eq!(expression, "#0 = :0 AND attribute_exists(#1)");
    assert_eq!(marks.names().unwrap()["#0"], sly);
}

fn updated(changes: &[Change], new: &Record) -> Option<String> {
    let mut marks = Placeholders::default();
    update(changes, new, &mut marks).map(|expression| shown(&expression, &marks))
}

#[test]
fn a_plain_delta_is_added_by_the_database() {
    let changes = [
        Change::Add("quantity".into(), Number::new(-150, -2).unwrap()),
        Change::Set("by".into(), "mia".into()),
        Change::Remove("gone".into()),
    ];
    let new = Record::new().with("quantity", Number::from(5)).with("by", "mia");
    let expected = "SET by = 'mia' REMOVE gone ADD quantity -1.5";
    assert_eq!(updated(&changes, &new).as_deref(), Some(expected));
}

#[test]
fn an_attribute_that_changes_twice_is_set_as_it_came_out() {
    let changes = [
        Change::Set("n".into(), Number::from(1).into()),
        Change::Add("n".into(), Number::from(2)),
        Change::Set("gone".into(), true.into()),
        Change::Remove("gone".into()),
    ];
    let new = Record::new().with("n", Number::from(3));
    assert_eq!(updated(&changes, &new).as_deref(), Some("SET n = 3 REMOVE gone"));
    assert_eq!(updated(&[], &new), None);
}

#[test]
fn a_record_is_unchanged_if_every_attribute_is_and_no_touched_one_was_added() {
    let read = Record::new().with("a", "1").with("b", Value::Null);
    let changes =
        [Change::Set("a".into(), "2".into()), Change::Add("fresh".into(), Number::from(1))];
    let mut marks = Placeholders::default();
    let expression = AT_NOON.unchanged(Some(&read), &changes, &mut marks);
    let expected = "a = '1' AND b = Null(true) AND attribute_not_exists(fresh)";
    assert_eq!(shown(&expression, &marks), expected);
    let mut marks = Placeholders::default();
    let expression = RELATIONAL.unchanged(None, &changes, &mut marks);
    assert_eq!(shown(&expression, &marks), "attribute_not_exists(PK)");
}

#[test]
fn a_resource_is_unchanged_if_what_is_the_stores_own_is() {
    let attributes = (0..400).map(|n| (format!("a{n:03}").into(), Value::Null)).collect();
    let read = Record::from_sorted(attributes).unwrap();
    let read = read.with("_recordType", "Resource").with("_version", Number::from(3));
    let changes = [
        Change::Add("_childCount".into(), Number::from(1)),
        Change::Set("a000".into(), "2".into()),
        Change::Set("new".into(), "1".into()),
    ];
    let mut marks = Placeholders::default();
    let expression = RELATIONAL.unchanged(Some(&read), &changes, &mut marks);
    let expected =
        "_recordType = 'Resource' AND _version = 3 AND attribute_not_exists(_childCount)";
    assert_eq!(shown(&expression, &marks), expected);
}
