use proptest::prelude::*;

use super::*;

const ACCOUNT_URN: &str = "urn:pp:System.Account::00000000-0000-0000-0000-000000000001";
const PARENT_URN: &str = "urn:pp:Home.Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b";
const JOB: &str = "urn:pp:System.Account.JobCollection.Job::01955556-3cd2-7df2-b839-693fa6fbd505";

fn resource() -> Resource {
    let serial = UniqueKey {
        property: PropertyName::parse("serial").unwrap(),
        value: UniqueValue::parse("AB-1").unwrap(),
        case_insensitive: true,
    };
    Resource {
        urn: JOB.parse().unwrap(),
        account: ACCOUNT_URN.parse().unwrap(),
        parent: Some(PARENT_URN.parse().unwrap()),
        schema_version: SchemaVersion::new(3).unwrap(),
        version: 7,
        unique_keys: UniqueKeys::new(vec![serial]).unwrap(),
        attributes: Attributes::from_json(r#"{"name": "Tent", "poles": [2, {"of": null}]}"#)
            .unwrap(),
        created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        updated_at: "2026-01-02T03:04:05.678Z".parse().unwrap(),
    }
}

fn counted() -> Counted {
    let photo = Some(PhotoId::from_sha256(&[7; 32]));
    Counted { resource: resource(), child_count: 2, link_count: 5, photo }
}

fn with_attributes(json: &str) -> Resource {
    Resource { attributes: Attributes::from_json(json).unwrap(), ..resource() }
}

#[test]
fn a_resource_has_the_attributes_of_the_specification_and_ours_and_its_own() {
    let number = |whole: i64| Value::N(Number::from(whole));
    let serial =
        Record::new().with("key", "serial").with("value", "AB-1").with("caseInsensitive", true);
    let poles = vec![number(2), Value::M(Record::new().with("of", Value::Null))];
    let expected: [(&str, Value); 18] = [
        ("PK", format!("Resource#{JOB}").into()),
        ("SK", format!("Resource#{JOB}").into()),
        ("_accountUrn", ACCOUNT_URN.into()),
        ("_childCount", number(2)),
        ("_createdAt", "2026-01-01T00:00:00.000Z".into()),
        ("_id", "01955556-3cd2-7df2-b839-693fa6fbd505".into()),
        ("_linkCount", number(5)),
        ("_parentUrn", PARENT_URN.into()),
        ("_photoId", "07".repeat(16).into()),
        ("_recordType", "Resource".into()),
        ("_resourceType", "System.Account.JobCollection.Job".into()),
        ("_schemaVersion", number(3)),
        ("_uniqueKeys", Value::L(vec![Value::M(serial)])),
        ("_updatedAt", "2026-01-02T03:04:05.678Z".into()),
        ("_version", number(7)),
        ("name", "Tent".into()),
        ("poles", Value::L(poles)),
        ("urn", JOB.into()),
    ];
    let record = to_record(&counted());
    let found: Vec<_> = record.iter().map(|(name, value)| (name, value.clone())).collect();
    assert_eq!(found, expected);
    assert_eq!(from_record(&record).unwrap(), counted());
}

#[test]
fn one_without_parent_and_unique_keys_says_nothing_of_them() {
    let bare = Resource { parent: None, unique_keys: UniqueKeys::default(), ..resource() };
    let record = to_record(&Counted::new(bare.clone()));
    assert_eq!((record.get(PARENT), record.get(UNIQUE_KEYS)), (None, None));
    assert_eq!(record.number(CHILD_COUNT), Some(Number::ZERO));
    assert_eq!(record.number(LINK_COUNT), Some(Number::ZERO));
    assert_eq!(from_record(&record).unwrap(), Counted::new(bare));
}

#[test]
fn no_attribute_can_have_a_name_of_ours() {
    for name in OWN_NAMES {
        let json = format!(r#"{{"{name}": 1}}"#);
        assert!(Attributes::from_json(&json).is_err(), "{name}");
    }
}

#[test]
fn what_contradicts_itself_or_lacks_something_is_refused_with_its_reason() {
    let zero = || Value::N(Number::ZERO);
    let cases: [(&str, Value, &str); 18] = [
        ("_recordType", "ParentChildRelationship".into(), "not Resource"),
        ("PK", "Resource#urn:pp:Box::00000000-0000-0000-0000-000000000000".into(), "belongs under"),
        ("urn", PARENT_URN.into(), "belongs under"),
        ("urn", "urn:pp:Box".into(), "urn"),
        ("_resourceType", "Home.Room".into(), "not that of its URN"),
        ("_id", "0195ff0e-e2e7-7408-8379-52f6cf939e7b".into(), "not that of its URN"),
        ("_schemaVersion", zero(), "_schemaVersion"),
        ("_schemaVersion", Number::from(1 << 32).into(), "_schemaVersion"),
        ("_version", Number::new(15, -1).unwrap().into(), "_version"),
        ("_accountUrn", "household 1".into(), "_accountUrn"),
        ("_createdAt", "yesterday".into(), "_createdAt"),
        ("_updatedAt", zero(), "_updatedAt"),
        ("_childCount", Number::from(-1).into(), "_childCount"),
        ("_linkCount", "5".into(), "_linkCount"),
        ("_photoId", "none".into(), "_photoId"),
        ("_uniqueKeys", "AB-1".into(), "_uniqueKeys"),
        ("_uniqueKeys", Value::L(vec![Value::M(Record::new())]), "_uniqueKeys"),
        ("_later", "of a newer server".into(), "_later"),
    ];
    for (name, value, reason) in cases {
        let error = from_record(&to_record(&counted()).with(name, value)).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    for name in OWN_NAMES.into_iter().filter(|name| ![PARENT, PHOTO, UNIQUE_KEYS].contains(name)) {
        let mut record = to_record(&counted());
        record.remove(name);
        assert!(from_record(&record).is_err(), "without {name}");
    }
}

#[test]
fn replacing_changes_what_differs_and_leaves_the_counts_alone() {
    let new = Resource { version: 8, parent: None, ..with_attributes(r#"{"name": "Tarp"}"#) };
    let Action::Update { when, changes, .. } = replace(&counted(), &new) else {
        panic!("not an update");
    };
    let version = Condition::Equals("_version".into(), Number::from(7).into());
    let shape = Condition::Equals("_schemaVersion".into(), Number::from(3).into());
    assert_eq!(when, [is_of(&new.account), version, shape]);
    let expected = [
        Change::Remove("_parentUrn".into()),
        Change::Remove("poles".into()),
        Change::Set("_version".into(), Number::from(8).into()),
        Change::Set("name".into(), "Tarp".into()),
    ];
    assert_eq!(changes, expected);
}

#[test]
fn replacing_more_than_an_expression_takes_writes_the_whole_under_the_counts() {
    let many: Vec<String> = (0..MAX_CHANGES).map(|n| format!(r#""a{n}": {n}"#)).collect();
    let new = Resource { version: 8, ..with_attributes(&format!("{{{}}}", many.join(","))) };
    let Action::Put { record, when, .. } = replace(&counted(), &new) else {
        panic!("not a put");
    };
    assert_eq!(from_record(&record).unwrap(), Counted { resource: new, ..counted() });
    for (name, count) in [(CHILD_COUNT, 2), (LINK_COUNT, 5)] {
        let condition = Condition::Equals(name.into(), Number::from(count).into());
        assert!(when.contains(&condition), "{name}");
    }
}

fn any_value() -> impl Strategy<Value = AttributeValue> {
    let leaf = prop_oneof![
        Just(AttributeValue::Null),
        any::<bool>().prop_map(AttributeValue::Bool),
        (any::<i64>(), -100..100_i32)
            .prop_map(|(m, e)| AttributeValue::Number(Number::new(m.into(), e).unwrap())),
        "[^\0]{0,12}".prop_map(AttributeValue::Text),
    ];
    leaf.prop_recursive(6, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(AttributeValue::List),
            prop::collection::btree_map("[^\0]{1,6}", inner, 0..5).prop_map(AttributeValue::Map),
        ]
    })
}

proptest! {
    #[test]
    fn every_resource_comes_back_and_becomes_any_other(
        old in prop::collection::btree_map("[a-z]{1,2}", any_value(), 0..8),
        new in prop::collection::btree_map("[a-z]{1,2}", any_value(), 0..8),
    ) {
        let of = |values| Attributes::new(values).unwrap();
        let old = Counted { resource: Resource { attributes: of(old), ..resource() }, ..counted() };
        let new = Resource { attributes: of(new), version: 8, ..resource() };
        let mut record = to_record(&old);
        prop_assert_eq!(from_record(&record).unwrap(), old.clone());
        let Action::Update { changes, .. } = replace(&old, &new) else {
            return Err(TestCaseError::fail("not an update"));
        };
        for change in changes {
            change.apply(&mut record).unwrap();
        }
        prop_assert_eq!(from_record(&record).unwrap(), Counted { resource: new, ..old });
    }
}
