//! `PUT /resources/{urn}`.

use larder_app::ResourceChange;
use larder_http::{DocumentBody, Fields, Problem, ProblemDocument, read, request_body};
use serde_json::value::RawValue;

use super::{
    PathUrn,
    add::NewUniqueKey,
    dto::{ResourceAnswer, ResourceDto, answer},
    fields,
    if_match::IfMatch,
};
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

request_body! {
    /// The new content of a resource.
    struct ResourceReplacement<'a> {
        /// All attributes: any others are removed.
        required attributes: &'a RawValue as fields::NewAttributes = read::any_object,
        /// All unique values. Absent: they are unchanged.
        #[schema(max_items = 10)]
        change unique_keys "uniqueKeys": &'a RawValue as Vec<NewUniqueKey> = read::any_list,
    }
}

fn read_change(body: &[u8]) -> Result<ResourceChange, Problem> {
    let ResourceReplacement { attributes, unique_keys } =
        Fields::parse_document(body)?.into_body()?;
    Ok(ResourceChange {
        attributes: fields::attributes(attributes)?,
        unique_keys: unique_keys.map(fields::unique_keys).transpose()?,
    })
}

/// Replace the content of a resource
///
/// Its attributes and its unique values, atomically. Its parent is changed separately, see
/// `parent`.
#[utoipa::path(
    put,
    path = "/api/v1/resources/{urn}",
    tag = "Resources",
    security(("program" = ["things"])),
    params(
        PathUrn,
        ("If-Match" = String, Header, description = "The `ETag` that the change is based on, or `*` for any"),
    ),
    request_body = ResourceReplacement,
    responses(
        (status = 200, body = ResourceDto),
        (status = 400, body = ProblemDocument, description = "`IF_MATCH_REQUIRED`, `INVALID_URN`, `INVALID_UNIQUE_KEYS`, `RESERVED_ATTRIBUTE`, `ATTRIBUTES_TOO_DEEP`, `INVALID_ATTRIBUTES`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`; `UNIQUE_KEY_TAKEN` with `existing`, if it is yours; `SCHEMA_TOO_NEW`: a newer server has written it"),
        (status = 413, body = ProblemDocument, description = "`ATTRIBUTES_TOO_LARGE`, `BODY_TOO_LARGE`"),
    ),
)]
pub(super) async fn replace_resource(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathUrn(urn): PathUrn,
    IfMatch(precondition): IfMatch,
    DocumentBody(body): DocumentBody<{ fields::MAX_BODY_BYTES }>,
) -> Result<ResourceAnswer, ApiError> {
    let change = read_change(&body)?;
    let resource = api.app.replace_resource(&caller, &urn, &precondition, &change).await?;
    Ok(answer(&resource))
}
