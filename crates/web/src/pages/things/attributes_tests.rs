use larder_domain::Language;

use super::*;

fn attributes(json: &str) -> Attributes {
    Attributes::from_json(json).unwrap()
}

/// The form for these attributes, sent as a browser sends it.
fn sent_back(before: &Attributes) -> Draft {
    let draft = Draft::of(before);
    let crlf = |text: &str| plain(text).replace('\n', "\r\n");
    let lists = (
        draft.fields.iter().map(|field| crlf(&field.name)).collect(),
        draft.fields.iter().map(|field| field.shape.as_str().to_owned()).collect(),
        draft.fields.iter().map(|field| crlf(&field.value)).collect(),
    );
    Draft::sent(draft.name, lists, &[], before).unwrap()
}

fn sent(
    name: &str,
    fields: &[(&str, &str, &str)],
    removed: &[&str],
    before: &str,
) -> Result<String, Unreadable> {
    let before = attributes(before);
    let list = |at: fn(&(&str, &str, &str)) -> String| fields.iter().map(at).collect::<Vec<_>>();
    let lists = (list(|f| f.0.to_owned()), list(|f| f.1.to_owned()), list(|f| f.2.to_owned()));
    let removed: Vec<_> = removed.iter().map(|name| (*name).to_owned()).collect();
    let draft = Draft::sent(Some(name.to_owned()), lists, &removed, &before)?;
    draft.attributes(&before).map(|attributes| attributes.to_json())
}

#[test]
fn what_nobody_touches_stays_exactly_as_it_was() {
    let before = attributes(
        r#"{"name": " Tent ", "a\nb": "line\rline\r\nline", "price": 0.10000000000000000000000000001,
            "big": 123456789012345678901234567890, "dry": true, "torn": false, "gone": null,
            "size": {"w": 1.50, "in": [1, [2]]}, "empty": "", "list": []}"#,
    );
    assert_eq!(sent_back(&before).attributes(&before), Ok(before));
}

#[test]
fn every_shape_of_value_can_be_added() {
    let fields = [
        (" colour ", "text", "green"),
        ("weight", "number", " 2.50 "),
        ("dry", "yes", ""),
        ("torn", "no", ""),
        ("size", "data", r#"{"w": 12345678901234567890.5}"#),
        ("", "text", ""),
    ];
    let json = r#"{"colour":"green","dry":true,"name":"Tent","size":{"w":12345678901234567890.5},"torn":false,"weight":2.5}"#;
    assert_eq!(sent(" Tent ", &fields, &[], "{}").unwrap(), json);
}

#[test]
fn an_attribute_is_changed_or_removed_and_the_others_stay() {
    let before = r#"{"name": "Tent", "a": 1, "b": 2, "c": 3}"#;
    let fields = [("a", "number", "1"), ("b", "number", "7"), ("c", "number", "3")];
    let after = sent("Tent", &fields, &["c"], before).unwrap();
    assert_eq!(after, r#"{"a":1,"b":7,"name":"Tent"}"#);
    assert_eq!(sent("", &[], &[], before).unwrap(), "{}");
}

#[test]
fn a_value_that_cannot_be_read_is_named() {
    let wrong = [
        ("number", "many", Rule::Number),
        ("number", "", Rule::Number),
        ("number", "1e999", Rule::Number),
        ("number", "1,500", Rule::Separators),
        ("data", "{", Rule::Data),
        ("data", r#"1, "other": 2"#, Rule::Data),
        ("data", r#"1, "it": 2"#, Rule::Data),
        ("data", "", Rule::Data),
    ];
    for (shape, value, rule) in wrong {
        let read = sent("Tent", &[("size", shape, value)], &[], "{}");
        assert_eq!(read, Err(Unreadable::Value("size".to_owned(), rule)), "{shape} {value:?}");
    }
}

#[test]
fn a_number_may_have_a_decimal_comma() {
    let read = sent("Tent", &[("size", "number", "1,25")], &[], "{}").unwrap();
    assert_eq!(read, r#"{"name":"Tent","size":1.25}"#);
}

#[test]
fn names_that_cannot_be_are_refused() {
    let read = |name: &str| sent("Tent", &[(name, "text", "x")], &[], "{}");
    let reserved = |name: &str| AttributesError::ReservedName(name.to_owned());
    assert_eq!(read("_version"), Err(Unreadable::Attributes(reserved("_version"))));
    assert_eq!(read(""), Err(Unreadable::Attributes(AttributesError::Name)));
    let twice = Unreadable::Attributes(AttributesError::Twice("name".to_owned()));
    assert_eq!(read("name"), Err(twice));
}

#[test]
fn a_form_that_is_not_ours_is_refused() {
    let before = Attributes::default();
    let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    for lists in [
        (list(&["a"]), list(&[]), list(&["1"])),
        (list(&["a"]), list(&["text"]), list(&[])),
        (list(&["a"]), list(&["picture"]), list(&["1"])),
    ] {
        assert_eq!(Draft::sent(None, lists, &[], &before), Err(Unreadable::Malformed));
    }
}

#[test]
fn a_name_that_is_no_text_is_a_field_like_others() {
    let before = attributes(r#"{"name": 7}"#);
    let draft = Draft::of(&before);
    assert_eq!((draft.name, draft.fields[0].value.as_str()), (None, "7"));
    assert_eq!(sent_back(&before).attributes(&before), Ok(before));
}

#[test]
fn values_are_shown_as_people_write_them() {
    let words = Words::of(Language::English);
    let shown = |json: &str| {
        let object = attributes(&format!("{{\"it\":{json}}}"));
        readable(words, object.get("it").unwrap())
    };
    assert_eq!(shown("true"), "Yes");
    assert_eq!(shown("12345678901234567890.5"), "12345678901234567890.5");
    assert_eq!(shown(r#"["red", 2, false]"#), "red, 2, No");
    assert_eq!(shown(r#"{"width": 30, "unit": "cm"}"#), "unit: cm, width: 30");
    assert_eq!(shown(r#"{"deep": [1]}"#), r#"{"deep":[1]}"#);
    assert_eq!(shown("null"), "–");
}
