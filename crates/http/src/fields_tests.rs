use super::*;
use crate::read;

#[derive(Debug, PartialEq)]
struct Request {
    name: String,
    notes: Option<String>,
    count: u32,
}

fn short(text: &str) -> Result<String, &'static str> {
    if text.chars().count() <= 5 {
        Ok(text.to_owned())
    } else {
        Err("must have at most 5 characters")
    }
}

fn request(body: &str) -> Result<Request, Problem> {
    let mut fields = Fields::parse(body.as_bytes())?;
    let name = fields.required("name", read::text(short));
    let notes = fields.optional("notes", read::text(short));
    let count = fields.required("count", read::integer);
    fields.finish(|| Some(Request { name: name?, notes, count: count? }))
}

fn refused(body: &str) -> (&'static str, Vec<(String, String)>) {
    let problem = request(body).unwrap_err();
    let errors = problem.errors().iter();
    let errors = errors.map(|error| (error.field.to_string(), error.message.to_string())).collect();
    (problem.code(), errors)
}

fn pair(field: &str, message: &str) -> (String, String) {
    (field.to_owned(), message.to_owned())
}

#[test]
fn good_fields_build_the_request() {
    let milk = |notes: Option<&str>| Request {
        name: "牛乳".to_owned(),
        notes: notes.map(str::to_owned),
        count: 2,
    };
    assert_eq!(request(r#"{"name":"牛乳","count":2}"#).unwrap(), milk(None));
    assert_eq!(request(r#"{"name":"牛乳","notes":null,"count":2}"#).unwrap(), milk(None));
    assert_eq!(request(r#"{"notes":"cold","count":2,"name":"牛乳"}"#).unwrap(), milk(Some("cold")));
}

#[test]
fn every_mistake_is_reported_at_once() {
    let (code, errors) = refused(r#"{"name":"a long name","notes":7}"#);
    assert_eq!(code, "INVALID_FIELDS");
    assert_eq!(
        errors,
        [
            pair("name", "must have at most 5 characters"),
            pair("notes", "must be a text"),
            pair("count", "is required"),
        ]
    );
}

#[test]
fn an_unknown_field_is_named_beside_the_other_mistakes() {
    let (code, errors) = refused(r#"{"name":null,"count":1,"nmae":"x"}"#);
    assert_eq!(code, "UNKNOWN_FIELD");
    assert_eq!(errors, [pair("name", "must not be null"), pair("nmae", "is not known here")]);
}

#[test]
fn unknown_fields_can_be_ignored_and_counted() {
    let mut fields = Fields::parse(br#"{"a":1,"b":2,"c":3}"#).unwrap();
    let a = fields.required("a", read::integer::<u8>);
    assert_eq!(fields.ignore_unknown(), 2);
    assert_eq!(fields.finish(|| a).unwrap(), 1);
}

#[test]
fn a_patch_tells_absent_null_and_value_apart() {
    let patch = |body: &str| {
        let mut fields = Fields::parse(body.as_bytes()).unwrap();
        let notes = fields.patch("notes", read::text(short));
        fields.finish(|| Some(notes)).map_err(|problem| problem.code())
    };
    assert_eq!(patch("{}"), Ok(Patch::Absent));
    assert_eq!(patch(r#"{"notes":null}"#), Ok(Patch::Null));
    assert_eq!(patch(r#"{"notes":"x"}"#), Ok(Patch::Set("x".to_owned())));
    assert_eq!(patch(r#"{"notes":1}"#), Err("INVALID_FIELDS"));
}

#[test]
fn a_patch_leaves_clears_or_sets() {
    assert_eq!(Patch::Absent.apply(Some(1)), Some(1));
    assert_eq!(Patch::Null.apply(Some(1)), None);
    assert_eq!(Patch::Set(2).apply(Some(1)), Some(2));
}

#[test]
fn a_change_may_be_absent_but_not_null() {
    let change = |body: &str| {
        let mut fields = Fields::parse(body.as_bytes()).unwrap();
        let count = fields.change("count", read::integer::<u8>);
        fields.finish(|| Some(count)).map_err(|problem| problem.code())
    };
    assert_eq!(change("{}"), Ok(None));
    assert_eq!(change(r#"{"count":3}"#), Ok(Some(3)));
    assert_eq!(change(r#"{"count":null}"#), Err("INVALID_FIELDS"));
}

#[test]
fn two_fields_at_odds_can_be_refused() {
    let mut fields = Fields::parse(b"{}").unwrap();
    fields.refuse("to", "must be after from");
    let problem = fields.finish(|| Some(())).unwrap_err();
    assert_eq!(problem.errors()[0].message, "must be after from");
}

#[test]
fn an_empty_body_is_an_object_without_fields_where_that_is_fine() {
    assert!(Fields::parse_optional(b"").unwrap().finish(|| Some(())).is_ok());
    assert_eq!(Fields::parse(b"").unwrap_err().code(), "BODY_REQUIRED");
    assert_eq!(Fields::parse_optional(b"[]").unwrap_err().code(), "NOT_AN_OBJECT");
}

#[test]
fn thousands_of_unknown_fields_give_a_short_answer() {
    let members: Vec<_> = (0..5000).map(|n| format!("\"f{n}\":1")).collect();
    let problem = request(&format!("{{{}}}", members.join(","))).unwrap_err();
    assert_eq!(problem.errors().len(), 50);
}
