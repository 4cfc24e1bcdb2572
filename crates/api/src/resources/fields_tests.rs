use super::*;

fn raw(json: &str) -> &RawValue {
    serde_json::from_str(json).unwrap()
}

fn refused<T: std::fmt::Debug>(result: Result<T, Problem>) -> (u16, &'static str, String) {
    let problem = result.unwrap_err();
    let fields = problem.errors().iter().map(|error| error.field.as_ref());
    (problem.status().as_u16(), problem.code(), fields.collect::<Vec<_>>().join(","))
}

#[test]
fn each_mistake_in_attributes_has_its_code() {
    let code = |json: &str| refused(attributes(raw(json)));
    let at = |status, code| (status, code, "attributes".to_owned());
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(350 * 1024));
    let deep = format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200));
    assert_eq!(code(&large), at(413, "ATTRIBUTES_TOO_LARGE"));
    assert_eq!(code(&deep), at(400, "ATTRIBUTES_TOO_DEEP"));
    for name in ["_id", "PK", "SKU", "GSI1PK", "urn"] {
        assert_eq!(code(&format!("{{\"{name}\":1}}")), at(400, "RESERVED_ATTRIBUTE"));
    }
    for json in ["[]", "7", r#"{"a":1e126}"#, r#"{"a":"\u0000"}"#, r#"{"":1}"#, r#"{"a":1,"a":2}"#]
    {
        assert_eq!(code(json), at(400, "INVALID_ATTRIBUTES"), "{json}");
    }
}

#[test]
fn the_largest_attributes_fit_the_body_with_every_character_escaped() {
    let text = "\\u0001".repeat(larder_domain::MAX_ATTRIBUTE_BYTES - 5);
    let json = format!("{{\"a\":\"{text}\"}}");
    assert!(attributes(raw(&json)).is_ok());
    assert!(json.len() + 1024 < MAX_BODY_BYTES);
}

#[test]
fn unique_keys_are_read_one_by_one() {
    let keys = unique_keys(raw(
        r#"[{"key":"serial","value":"A-1"},{"key":"email","value":"A@b","caseInsensitive":true}]"#,
    ))
    .unwrap();
    let read: Vec<_> = keys
        .iter()
        .map(|key| (key.property.as_str(), key.value.as_str(), key.case_insensitive))
        .collect();
    assert_eq!(read, [("email", "A@b", true), ("serial", "A-1", false)]);
}

#[test]
fn a_wrong_unique_key_is_named_by_its_place() {
    let code = |json: &str| refused(unique_keys(raw(json)));
    let at = |code, field: &str| (400, code, field.to_owned());
    let many = format!("[{}{{}}]", r#"{"key":"k","value":"v"},"#.repeat(3));
    for (json, code_and_field) in [
        ("{}", at("INVALID_UNIQUE_KEYS", "uniqueKeys")),
        ("[7]", at("INVALID_UNIQUE_KEYS", "uniqueKeys[0]")),
        (r#"[{"value":"v"}]"#, at("INVALID_UNIQUE_KEYS", "uniqueKeys[0].key")),
        (
            r#"[{"key":"1k","value":" "}]"#,
            at("INVALID_UNIQUE_KEYS", "uniqueKeys[0].key,uniqueKeys[0].value"),
        ),
        (r#"[{"key":"k","value":"v","ci":true}]"#, at("UNKNOWN_FIELD", "uniqueKeys[0].ci")),
        (
            r#"[{"key":"k","value":"v"},{"key":"k","value":"v"}]"#,
            at("INVALID_UNIQUE_KEYS", "uniqueKeys"),
        ),
        (&many, at("INVALID_UNIQUE_KEYS", "uniqueKeys[3].key,uniqueKeys[3].value")),
    ] {
        assert_eq!(code(json), code_and_field, "{json}");
    }
}

#[test]
fn an_id_is_a_uuid_in_the_one_spelling() {
    let box_type = ResourceType::parse("Box").unwrap();
    let id = "01955556-3cd2-7df2-b839-693fa6fbd505";
    assert_eq!(urn_with_id(&box_type, id).unwrap().as_str(), format!("urn:pp:Box::{id}"));
    for id in [
        "",
        "7",
        "123-abc-890-xyz",
        &id.replace('-', ""),
        &format!("{{{id}}}"),
        &format!("x::{id}"),
    ] {
        assert_eq!(
            refused(urn_with_id(&box_type, id)),
            (400, "INVALID_ID", "id".to_owned()),
            "{id}"
        );
    }
}
