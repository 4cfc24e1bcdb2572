//! Reading the fields of resources from requests. Each kind of error has its own code.

use std::borrow::Cow;

use axum::http::StatusCode;
use larder_domain::{
    Attributes, AttributesError, InvalidResourceType, ResourceType, UniqueKey, UniqueKeys, Urn,
};
use larder_http::{FieldError, Fields, Problem};
use serde_json::value::RawValue;
use utoipa::openapi::{
    RefOr, Schema,
    schema::{AdditionalProperties, Object, Type},
};

use super::add::NewUniqueKey;

/// The largest body with attributes: 350 KB of them with every character escaped (`\u0001` has six
/// bytes for one), and the rest of the body.
pub(crate) const MAX_BODY_BYTES: usize = 6 * larder_domain::MAX_ATTRIBUTE_BYTES + 64 * 1024;

/// The schema of attributes.
pub(super) struct NewAttributes;

impl utoipa::PartialSchema for NewAttributes {
    fn schema() -> RefOr<Schema> {
        let mut name = Object::with_type(Type::String);
        name.max_length = Some(255);
        name.pattern = Some("^(?!_|PK|SK|GSI|urn$).+$".to_owned());
        let mut attributes = Object::with_type(Type::Object);
        attributes.property_names = Some(Box::new(name.into()));
        attributes.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(true)));
        attributes.description = Some(
            "Any JSON object of at most 350 KB and 32 levels. Numbers have at most 38 digits."
                .to_owned(),
        );
        attributes.into()
    }
}

impl utoipa::ToSchema for NewAttributes {
    fn name() -> Cow<'static, str> {
        "NewAttributes".into()
    }
}

/// A URN in a path, query or body.
pub(crate) fn urn(field: &'static str, text: &str) -> Result<Urn, Problem> {
    text.parse::<Urn>().map_err(|reason| invalid_urn(field, reason.to_string()))
}

pub(super) fn invalid_urn(field: &'static str, reason: String) -> Problem {
    Problem::bad_request("INVALID_URN", "Not a URN of a resource")
        .detail(reason.clone())
        .field_error(field, reason)
}

/// A resource type in a path, query or body.
pub(crate) fn resource_type(field: &'static str, text: &str) -> Result<ResourceType, Problem> {
    ResourceType::parse(text).map_err(|reason: InvalidResourceType| {
        Problem::bad_request("INVALID_RESOURCE_TYPE", "Not a resource type")
            .detail(reason.to_string())
            .field_error(field, reason.to_string())
    })
}

/// The URN of a type with a client-assigned id.
pub(super) fn urn_with_id(resource_type: &ResourceType, id: &str) -> Result<Urn, Problem> {
    let urn = format!("urn:pp:{}::{id}", resource_type.as_str());
    urn.parse().map_err(|_| {
        const RULE: &str = "must be a UUID such as 01955556-3cd2-7df2-b839-693fa6fbd505";
        Problem::bad_request("INVALID_ID", "Not a UUID").detail(RULE).field_error("id", RULE)
    })
}

/// The attributes as written, with every digit of every number.
pub(super) fn attributes(json: &RawValue) -> Result<Attributes, Problem> {
    Attributes::from_json(json.get()).map_err(|reason| {
        let bad = Problem::bad_request;
        let problem = match reason {
            AttributesError::TooLarge => Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "ATTRIBUTES_TOO_LARGE",
                "The attributes are too large",
            ),
            AttributesError::TooDeep => {
                bad("ATTRIBUTES_TOO_DEEP", "The attributes are nested too deeply")
            }
            AttributesError::ReservedName(_) => {
                bad("RESERVED_ATTRIBUTE", "Records have this name for themselves")
            }
            AttributesError::Syntax
            | AttributesError::Name
            | AttributesError::Twice(_)
            | AttributesError::Number
            | AttributesError::Nul => bad("INVALID_ATTRIBUTES", "The attributes cannot be kept"),
        };
        problem.detail(reason.to_string()).field_error("attributes", reason.to_string())
    })
}

/// The unique values: `[{key, value, caseInsensitive?}]`.
pub(super) fn unique_keys(json: &RawValue) -> Result<UniqueKeys, Problem> {
    let elements: Vec<&RawValue> = serde_json::from_str(json.get())
        .map_err(|_| invalid_keys("uniqueKeys", "must be a list"))?;
    let keys = elements.into_iter().enumerate().map(|(index, element)| {
        unique_key(element).map_err(|problem| within_list(index, &problem))
    });
    UniqueKeys::new(keys.collect::<Result<_, _>>()?)
        .map_err(|reason| invalid_keys("uniqueKeys", reason.to_string()))
}

fn unique_key(element: &RawValue) -> Result<UniqueKey, Problem> {
    let NewUniqueKey { property, value, case_insensitive } =
        Fields::parse(element.get().as_bytes())?.into_body()?;
    Ok(UniqueKey { property, value, case_insensitive })
}

/// The error of one element as a problem of the whole body.
fn within_list(index: usize, problem: &Problem) -> Problem {
    let place = format!("uniqueKeys[{index}]");
    let errors: Vec<FieldError> = problem
        .errors()
        .iter()
        .map(|error| FieldError {
            field: format!("{place}.{}", error.field).into(),
            message: error.message.clone(),
        })
        .collect();
    match (problem.code(), errors.is_empty()) {
        ("UNKNOWN_FIELD", _) => {
            Problem::bad_request("UNKNOWN_FIELD", "A field is not known here").field_errors(errors)
        }
        (_, true) => invalid_keys(place, "must be an object with key and value"),
        (_, false) => unusable_keys().field_errors(errors),
    }
}

/// An invalid part of a unique key.
pub(crate) fn invalid_keys(
    field: impl Into<Cow<'static, str>>,
    message: impl Into<Cow<'static, str>>,
) -> Problem {
    let message = message.into();
    unusable_keys().detail(message.clone()).field_error(field, message)
}

fn unusable_keys() -> Problem {
    Problem::bad_request("INVALID_UNIQUE_KEYS", "The unique keys cannot be kept")
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
