//! `POST /resources`.

use std::borrow::Cow;

use axum::http::StatusCode;
use larder_app::{NewResource, NewUrn};
use larder_domain::{PropertyName, UniqueValue};
use larder_http::{DocumentBody, Fields, Problem, ProblemDocument, read, request_body};
use serde_json::value::RawValue;

use super::{
    dto::{ResourceAnswer, ResourceDto, answer},
    fields,
};
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::ChangeThings};

request_body! {
    /// A new resource.
    #[schema(as = NewResource)]
    struct NewResourceDto<'a> {
        /// Alphanumeric segments that begin with a capital, separated by dots.
        #[schema(max_length = 200, pattern = r"^[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)*$", example = "Home.Room")]
        required resource_type "resourceType": Cow<'a, str> as String = read::borrowed_text,
        /// A UUID. Absent: a new one of version 7.
        #[schema(format = "uuid")]
        optional id: Cow<'a, str> as String = read::borrowed_text,
        /// The parent.
        #[schema(format = "urn")]
        optional parent "parentUrn": Cow<'a, str> as String = read::borrowed_text,
        /// Values that no other resource of this type may have, in any household.
        #[schema(max_items = 10)]
        optional unique_keys "uniqueKeys": &'a RawValue as Vec<NewUniqueKey> = read::any_list,
        /// Any JSON object of at most 350 KB and 32 levels. No top-level name begins with `_`,
        /// `PK`, `SK` or `GSI`, or is `urn`.
        required attributes: &'a RawValue as fields::NewAttributes = read::any_object,
    }
}

request_body! {
    /// A value that only one resource of a type may have.
    pub(super) struct NewUniqueKey {
        /// A letter, followed by up to 63 letters, digits or `_`.
        required property "key": PropertyName as String = read::text(PropertyName::parse),
        #[schema(max_length = 600)]
        required value: UniqueValue as String = read::text(UniqueValue::parse),
        /// Whether values that differ only in case are equal; false by default.
        default case_insensitive "caseInsensitive": bool as bool = read::boolean,
    }
}

fn read_new(body: &[u8]) -> Result<NewResource, Problem> {
    let NewResourceDto { resource_type, id, parent, unique_keys, attributes } =
        Fields::parse_document(body)?.into_body()?;
    let resource_type = fields::resource_type("resourceType", &resource_type)?;
    Ok(NewResource {
        urn: match id {
            Some(id) => NewUrn::Given(fields::urn_with_id(&resource_type, &id)?),
            None => NewUrn::OfType(resource_type),
        },
        parent: parent.map(|urn| fields::urn("parentUrn", &urn)).transpose()?,
        unique_keys: unique_keys.map(fields::unique_keys).transpose()?.unwrap_or_default(),
        attributes: fields::attributes(attributes)?,
    })
}

/// Create a resource
///
/// With its unique values and the link to its parent, all or nothing. With a parent in another
/// household, which requires a grant to write, it is created there.
#[utoipa::path(
    post,
    path = "/api/v1/resources",
    tag = "Resources",
    security(("program" = ["things"])),
    params(Idempotency),
    request_body = NewResourceDto,
    responses(
        (status = 201, body = ResourceDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_RESOURCE_TYPE`, `RESERVED_RESOURCE_TYPE`, `INVALID_ID`, `INVALID_URN`, `SELF_LINK`, `INVALID_UNIQUE_KEYS`, `RESERVED_ATTRIBUTE`, `ATTRIBUTES_TOO_DEEP`, `INVALID_ATTRIBUTES`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`PARENT_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`RESOURCE_EXISTS`; `UNIQUE_KEY_TAKEN` with `existing`, if it is yours; `HOUSEHOLD_REQUIRED`"),
        (status = 413, body = ProblemDocument, description = "`ATTRIBUTES_TOO_LARGE`, `BODY_TOO_LARGE`"),
    ),
)]
pub(super) async fn add_resource(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    idempotency: Idempotency,
    DocumentBody(body): DocumentBody<{ fields::MAX_BODY_BYTES }>,
) -> Result<(StatusCode, ResourceAnswer), ApiError> {
    let new = read_new(&body)?;
    let write =
        async |claim: Option<_>| api.app.create_resource(&caller, new, claim.as_ref()).await;
    let resource = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, answer(&resource)))
}
