//! Reading the fields of the shopping list. Any error of a field (missing, null, wrong type, out of
//! range) gives its message of seed 001's validation table.

use std::str::FromStr;

use larder_domain::{InvalidShoppingField, ShoppingItemId, ShoppingName, ShoppingQuantity};
use larder_http::{Fields, Patch, Problem, read};
use serde_json::value::RawValue;

use crate::{ApiError, path_id::NamedInPath};

/// A required field. `None` means that an error was recorded.
pub(super) fn required<'a, T>(
    fields: &mut Fields<'a>,
    name: &'static str,
    rule: InvalidShoppingField,
    reader: impl FnOnce(&'a RawValue) -> Result<T, read::Refusal>,
) -> Option<T> {
    let read = match fields.patch(name, |value| Ok(reader(value).ok())) {
        Patch::Set(read) => read,
        Patch::Null | Patch::Absent => None,
    };
    if read.is_none() {
        fields.refuse(name, rule.to_string());
    }
    read
}

/// The name of an entry, with the message of the rule that it breaks.
pub(super) fn name(fields: &mut Fields<'_>, key: &'static str) -> Option<ShoppingName> {
    let mut rule = InvalidShoppingField::Name;
    let parse = |text: &str| ShoppingName::parse(text).inspect_err(|error| rule = *error);
    let read = match fields.patch(key, |value| Ok(read::text(parse)(value).ok())) {
        Patch::Set(read) => read,
        Patch::Null | Patch::Absent => None,
    };
    if read.is_none() {
        fields.refuse(key, rule.to_string());
    }
    read
}

/// The same for a change: it may be absent.
pub(super) fn changed_name(fields: &mut Fields<'_>, key: &'static str) -> Option<ShoppingName> {
    fields.peek(key)?;
    name(fields, key)
}

/// A reader with the message of a rule for every error.
pub(super) fn by_rule<'a, T>(
    rule: InvalidShoppingField,
    reader: impl FnOnce(&'a RawValue) -> Result<T, read::Refusal>,
) -> impl FnOnce(&'a RawValue) -> Result<T, read::Refusal> {
    move |value| reader(value).map_err(|_| rule.to_string().into())
}

/// The version that a change is based on.
pub(super) fn version(fields: &mut Fields<'_>, name: &'static str) -> Option<u64> {
    required(fields, name, InvalidShoppingField::Version, |value| {
        match read::integer::<u64>(value)? {
            0 => Err("must be at least 1".into()),
            version => Ok(version),
        }
    })
}

/// How many to buy.
pub(super) fn quantity(value: &RawValue) -> Result<ShoppingQuantity, read::Refusal> {
    ShoppingQuantity::new(read::integer(value)?).map_err(|error| error.to_string().into())
}

/// An id that the server assigns is an unknown field of a request. If it is malformed, that is
/// reported too.
pub(super) fn refuse_malformed<T: FromStr>(
    fields: &mut Fields<'_>,
    name: &'static str,
    rule: InvalidShoppingField,
) {
    let parse = |text: &str| text.parse::<T>().map_err(|_| rule);
    if fields.peek(name).is_some_and(|value| read::text(parse)(value).is_err()) {
        fields.refuse(name, rule.to_string());
    }
}

/// A malformed id of an entry is an invalid field, wherever it stands.
impl NamedInPath for ShoppingItemId {
    fn malformed() -> ApiError {
        invalid("shoppingItemId", InvalidShoppingField::ShoppingItemId).into()
    }
}

/// The problem of a field that violates its rule.
pub(super) fn invalid(name: &'static str, rule: InvalidShoppingField) -> Problem {
    Problem::bad_request("INVALID_FIELDS", "Validation failed").field_error(name, rule.to_string())
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdId, ShoppingName};

    use super::*;

    fn errors(fields: Fields<'_>) -> (&'static str, Vec<(String, String)>) {
        let problem = fields.finish(|| Some(())).unwrap_err();
        let errors = problem.errors().iter();
        let errors = errors.map(|error| (error.field.to_string(), error.message.to_string()));
        (problem.code(), errors.collect())
    }

    fn one(field: &str, message: &str) -> (&'static str, Vec<(String, String)>) {
        ("INVALID_FIELDS", vec![(field.to_owned(), message.to_owned())])
    }

    #[test]
    fn a_required_field_has_one_sentence_whatever_is_wrong() {
        for body in ["{}", r#"{"name":null}"#, r#"{"name":7}"#, r#"{"name":""}"#] {
            let mut fields = Fields::parse(body.as_bytes()).unwrap();
            assert_eq!(name(&mut fields, "name"), None);
            assert_eq!(errors(fields), one("name", "Name must be 1-100 characters"), "{body}");
        }
    }

    #[test]
    fn a_name_with_an_invisible_character_is_said_to_have_one() {
        let mut fields = Fields::parse("{\"name\":\"Mi\u{200b}lk\"}".as_bytes()).unwrap();
        assert_eq!(name(&mut fields, "name"), None);
        let message = "Name must not contain the invisible character U+200B";
        assert_eq!(errors(fields), one("name", message));
    }

    #[test]
    fn a_change_may_be_absent_but_not_null() {
        let read = |body: &'static str| {
            let mut fields = Fields::parse(body.as_bytes()).unwrap();
            let name = changed_name(&mut fields, "name");
            fields.finish(|| Some(name))
        };
        assert_eq!(read("{}").unwrap(), None);
        assert_eq!(read(r#"{"name":"Milk"}"#).unwrap(), ShoppingName::parse("Milk").ok());
        assert_eq!(read(r#"{"name":null}"#).unwrap_err().code(), "INVALID_FIELDS");
    }

    #[test]
    fn a_value_that_breaks_its_rule_has_the_sentence_of_the_rule() {
        let read = |body: &'static str| {
            let mut fields = Fields::parse(body.as_bytes()).unwrap();
            let found = fields.patch("quantity", by_rule(InvalidShoppingField::Quantity, quantity));
            fields.finish(|| Some(found))
        };
        assert_eq!(read("{}").unwrap(), Patch::Absent);
        assert_eq!(read(r#"{"quantity":null}"#).unwrap(), Patch::Null);
        let two = ShoppingQuantity::new(2).unwrap();
        assert_eq!(read(r#"{"quantity":2}"#).unwrap(), Patch::Set(two));
        let problem = read(r#"{"quantity":0}"#).unwrap_err();
        assert_eq!(problem.errors()[0].message, "Quantity must be a positive integer");
    }

    #[test]
    fn a_version_is_a_positive_integer() {
        for literal in ["0", "-1", "1.5", "1e-1", "\"1\"", "null", "18446744073709551616"] {
            let body = format!(r#"{{"version":{literal}}}"#);
            let mut fields = Fields::parse(body.as_bytes()).unwrap();
            assert_eq!(version(&mut fields, "version"), None, "{literal}");
            let expected = one("version", "Version must be a positive integer");
            assert_eq!(errors(fields), expected, "{literal}");
        }
    }

    #[test]
    fn what_the_server_decides_is_unknown_and_if_it_is_no_id_that_is_said_too() {
        let read = |body: &'static str| {
            let mut fields = Fields::parse(body.as_bytes()).unwrap();
            let rule = InvalidShoppingField::FamilyId;
            refuse_malformed::<HouseholdId>(&mut fields, "familyId", rule);
            errors(fields)
        };
        let unknown = ("familyId".to_owned(), "is not known here".to_owned());
        let malformed = ("familyId".to_owned(), "Invalid family ID format".to_owned());
        let id = r#"{"familyId":"f47ac10b-58cc-4372-a567-0e02b2c3d479"}"#;
        assert_eq!(read(id), ("UNKNOWN_FIELD", vec![unknown.clone()]));
        assert_eq!(read(r#"{"familyId":7}"#), ("UNKNOWN_FIELD", vec![malformed, unknown]));
    }
}
