//! Strict JSON: a request body is one object in UTF-8, with limited depth and no duplicate keys.

use std::{borrow::Cow, fmt};

use axum::http::StatusCode;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{error::Category, value::RawValue};

use crate::Problem;

/// Deep enough for any document of ours (the deepest has six levels), far too shallow to hurt.
const MAX_DEPTH: usize = 32;

/// The members of an object, in order, with unparsed values.
#[derive(Debug, Default)]
pub(crate) struct Object<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

/// Reads a whole body.
pub(crate) fn parse_object(body: &[u8]) -> Result<Object<'_>, Problem> {
    if is_too_deep(body) {
        return Err(Problem::bad_request("TOO_DEEP", "The body is nested too deeply")
            .detail(format!("at most {MAX_DEPTH} levels are allowed")));
    }
    let object = parse_members(body)?;
    match object.0.iter().find_map(|(_, value)| repeated_key_within(value)) {
        None => Ok(object),
        Some(key) => Err(given_twice(key)),
    }
}

/// Reads the members of a body, without recursing: the readers of the values check them for depth
/// and duplicate keys.
pub(crate) fn parse_members(body: &[u8]) -> Result<Object<'_>, Problem> {
    let text = std::str::from_utf8(body).map_err(|error| {
        Problem::bad_request("INVALID_UTF8", "The body is not UTF-8")
            .detail(format!("the first bad byte is at offset {}", error.valid_up_to()))
    })?;
    if text.trim_ascii().is_empty() {
        return Err(Problem::bad_request("BODY_REQUIRED", "A JSON object is needed"));
    }
    let object: Object = serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => Problem::bad_request("NOT_AN_OBJECT", "The body must be a JSON object"),
        _ => Problem::bad_request("MALFORMED_JSON", "The body is not JSON").detail(format!(
            "malformed at line {}, column {}",
            error.line(),
            error.column()
        )),
    })?;
    match repeated_member(&object) {
        None => Ok(object),
        Some(key) => Err(given_twice(key)),
    }
}

fn given_twice(key: String) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "DUPLICATE_KEY", "A key is given twice")
        .field_error(key, "is given more than once")
}

/// Counts brackets outside of strings. Runs before the parser, which recurses.
fn is_too_deep(body: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut bytes = body.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' if depth == MAX_DEPTH => return true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => loop {
                match bytes.next() {
                    Some(b'\\') => _ = bytes.next(),
                    Some(b'"') | None => break,
                    Some(_) => {}
                }
            },
            _ => {}
        }
    }
    false
}

/// A duplicate key of an object.
fn repeated_member(object: &Object) -> Option<String> {
    let mut keys: Vec<&str> = object.0.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    let pair = keys.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(pair[0].to_owned())
}

/// The same at any depth.
fn repeated_key(object: &Object) -> Option<String> {
    let deeper = || object.0.iter().find_map(|(_, value)| repeated_key_within(value));
    repeated_member(object).or_else(deeper)
}

fn repeated_key_within(value: &RawValue) -> Option<String> {
    let text = value.get();
    // A value that was parsed as JSON once parses again, except for a key that is not Unicode; the
    // reader of that value reports it.
    match text.as_bytes().first() {
        Some(b'{') => serde_json::from_str(text).ok().as_ref().and_then(repeated_key),
        Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(text)
            .ok()?
            .into_iter()
            .find_map(repeated_key_within),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(key), value)) = map.next_entry()? {
                    members.push((key, value));
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

/// Text, borrowed unless it contains an escape.
#[derive(Clone, Debug)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Chars;

        impl<'de> Visitor<'de> for Chars {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E: serde::de::Error>(
                self,
                text: &'de str,
            ) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Chars)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::rendered;

    fn code(body: impl AsRef<[u8]>) -> &'static str {
        parse_object(body.as_ref()).expect_err("this body is bad").code()
    }

    fn nested(depth: usize) -> String {
        format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1))
    }

    #[test]
    fn members_keep_their_order_and_their_exact_text() {
        let object = parse_object(br#" {"b": 1.50, "a\u0041": [1, 2]} "#).unwrap();
        let members: Vec<_> = object.0.iter().map(|(key, value)| (&**key, value.get())).collect();
        assert_eq!(members, [("b", "1.50"), ("aA", "[1, 2]")]);
    }

    #[test]
    fn each_kind_of_bad_body_has_its_code() {
        assert_eq!(code(b"{\"a\":\"\xff\"}"), "INVALID_UTF8");
        assert_eq!(code(" \n"), "BODY_REQUIRED");
        assert_eq!(code("[1]"), "NOT_AN_OBJECT");
        assert_eq!(code("null"), "NOT_AN_OBJECT");
        assert_eq!(code("{\"a\":}"), "MALFORMED_JSON");
        assert_eq!(code("{\"a\":1} x"), "MALFORMED_JSON");
        assert_eq!(code("{\"a\":1"), "MALFORMED_JSON");
        assert_eq!(code("{\"a\":NaN}"), "MALFORMED_JSON");
        assert_eq!(code(r#"{"\ud800":1}"#), "MALFORMED_JSON");
        assert_eq!(code(r#"{"a":1,"\u0061":2}"#), "DUPLICATE_KEY");
        assert_eq!(code(r#"{"a":[{"x":1,"x":2}]}"#), "DUPLICATE_KEY");
    }

    #[tokio::test]
    async fn malformed_json_names_the_place() {
        let problem = parse_object(b"{\n  \"a\": ?\n}").unwrap_err();
        assert_eq!(rendered(problem).await["detail"], "malformed at line 2, column 8");
    }

    #[test]
    fn thirty_two_levels_are_the_limit() {
        assert!(parse_object(nested(32).as_bytes()).is_ok());
        assert_eq!(code(nested(33)), "TOO_DEEP");
        assert_eq!(code("[".repeat(500_000)), "TOO_DEEP");
    }

    #[test]
    fn the_depth_of_a_members_value_is_left_to_its_reader() {
        for depth in [33, 500_000] {
            let body = nested(depth);
            let object = parse_members(body.as_bytes()).unwrap();
            assert_eq!(object.0[0].1.get().len(), body.len() - 6);
        }
        let twice = parse_members(br#"{"a":1,"b":{"c":1,"c":2},"a":2}"#).unwrap_err();
        assert_eq!(twice.code(), "DUPLICATE_KEY");
        assert!(parse_members(br#"{"b":{"c":1,"c":2}}"#).is_ok());
    }

    #[test]
    fn brackets_inside_of_text_do_not_count() {
        let body = format!("{{\"a\":\"\\\"{}\"}}", "[".repeat(100));
        assert!(parse_object(body.as_bytes()).is_ok());
    }

    #[test]
    fn a_number_beyond_any_float_is_still_json() {
        let object = parse_object(b"{\"q\":1e400,\"n\":{\"q\":1e400}}").unwrap();
        assert_eq!(object.0[0].1.get(), "1e400");
    }
}
