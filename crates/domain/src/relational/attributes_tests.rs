use proptest::prelude::*;

use super::*;

fn nested(levels: usize) -> String {
    format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels))
}

#[test]
fn numbers_keep_every_digit() {
    let json = r#"{"a":0.1,"b":12345678901234567890.123,"c":-5,"d":[null,true,{"e":"\u00e9\n"}]}"#;
    let attributes = Attributes::from_json(json).unwrap();
    assert_eq!(
        attributes.to_json(),
        r#"{"a":0.1,"b":12345678901234567890.123,"c":-5,"d":[null,true,{"e":"é\n"}]}"#
    );
    assert_eq!(attributes.get("c"), Some(&AttributeValue::Number(Number::from(-5))));
}

#[test]
fn names_of_records_are_refused_at_the_top_and_allowed_below() {
    for name in ["_id", "_", "PK", "PKW", "SK", "SKU", "GSI1PK", "GSI", "urn"] {
        let refused = Attributes::from_json(&format!(r#"{{"{name}":1}}"#));
        assert_eq!(refused, Err(AttributesError::ReservedName(name.into())), "{name}");
        assert!(Attributes::from_json(&format!(r#"{{"a":{{"{name}":1}}}}"#)).is_ok(), "{name}");
    }
    for name in ["pk", "Sk", "urns", "a_b", "gsi"] {
        assert!(Attributes::from_json(&format!(r#"{{"{name}":1}}"#)).is_ok(), "{name}");
    }
}

#[test]
fn thirty_two_levels_fit_and_thirty_three_do_not() {
    assert!(Attributes::from_json(&nested(32)).is_ok());
    assert_eq!(Attributes::from_json(&nested(33)), Err(AttributesError::TooDeep));
    assert_eq!(Attributes::from_json(&nested(100_000)), Err(AttributesError::TooDeep));
    let list = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(Attributes::from_json(&list(31)).is_ok());
    assert_eq!(Attributes::from_json(&list(32)), Err(AttributesError::TooDeep));
}

#[test]
fn three_hundred_and_fifty_kilobytes_fit_and_one_byte_more_does_not() {
    // Three bytes for the object, the name and one for the entry.
    let json = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 5));
    assert!(Attributes::from_json(&json(MAX_ATTRIBUTE_BYTES)).is_ok());
    assert_eq!(
        Attributes::from_json(&json(MAX_ATTRIBUTE_BYTES + 1)),
        Err(AttributesError::TooLarge)
    );
    let empty_lists = format!("{{\"a\":[{}[]]}}", "[],".repeat(90_000));
    assert_eq!(Attributes::from_json(&empty_lists), Err(AttributesError::TooLarge));
}

#[test]
fn what_not_every_engine_can_hold_is_refused() {
    for (json, reason) in [
        (r#"{"a":1e126}"#, AttributesError::Number),
        (r#"{"a":123456789012345678901234567890123456789}"#, AttributesError::Number),
        (r#"{"a":"\u0000"}"#, AttributesError::Nul),
        (r#"{"a":{"\u0000":1}}"#, AttributesError::Nul),
        (r#"{"":1}"#, AttributesError::Name),
        (r#"{"a":{"b":1,"b":2}}"#, AttributesError::Twice("b".into())),
        ("[]", AttributesError::Syntax),
        ("", AttributesError::Syntax),
        ("null", AttributesError::Syntax),
        (r#"{"a":01}"#, AttributesError::Syntax),
        (r#"{"a":1} x"#, AttributesError::Syntax),
        (r#"{"a":NaN}"#, AttributesError::Syntax),
        (r#"{"a":"\ud800"}"#, AttributesError::Syntax),
    ] {
        assert_eq!(Attributes::from_json(json), Err(reason), "{json}");
    }
}

fn value() -> impl Strategy<Value = AttributeValue> {
    let leaf = prop_oneof![
        Just(AttributeValue::Null),
        any::<bool>().prop_map(AttributeValue::Bool),
        (any::<i64>(), -20..20_i32).prop_map(|(mantissa, exponent)| {
            AttributeValue::Number(Number::new(mantissa.into(), exponent).unwrap())
        }),
        "[^\u{0}]{0,12}".prop_map(AttributeValue::Text),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(AttributeValue::List),
            prop::collection::btree_map("[^\u{0}]{1,8}", inner, 0..5).prop_map(AttributeValue::Map),
        ]
    })
}

proptest! {
    #[test]
    fn json_round_trips(values in prop::collection::btree_map("[a-z]{1,8}", value(), 0..6)) {
        if let Ok(attributes) = Attributes::new(values) {
            prop_assert_eq!(Attributes::from_json(&attributes.to_json()).unwrap(), attributes);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,60}") {
        drop(Attributes::from_json(&text));
    }
}
