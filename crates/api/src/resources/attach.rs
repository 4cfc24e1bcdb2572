//! `PUT /resources/{urn}/parent`.

use std::borrow::Cow;

use larder_http::{Fields, JsonBody, ProblemDocument, read, request_body};

use super::{
    PathUrn,
    dto::{ResourceAnswer, ResourceDto, answer},
    fields,
};
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

request_body! {
    /// The new parent of a resource.
    struct NewParent<'a> {
        #[schema(format = "urn")]
        required parent "parentUrn": Cow<'a, str> as String = read::borrowed_text,
    }
}

/// Set the parent of a resource
///
/// Replaces its current parent. Everything below the resource moves with it.
#[utoipa::path(
    put,
    path = "/api/v1/resources/{urn}/parent",
    tag = "Resources",
    security(("program" = ["things"])),
    params(PathUrn),
    request_body = NewParent,
    responses(
        (status = 200, body = ResourceDto, description = "The child"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `SELF_LINK`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`, `PARENT_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`CYCLE`: the new parent is below the resource"),
    ),
)]
pub(super) async fn attach_resource(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathUrn(child): PathUrn,
    JsonBody(body): JsonBody,
) -> Result<ResourceAnswer, ApiError> {
    let NewParent { parent } = Fields::parse(&body)?.into_body()?;
    let parent = fields::urn("parentUrn", &parent)?;
    let child = api.app.attach_resource(&caller, child, parent).await?;
    Ok(answer(&child))
}
