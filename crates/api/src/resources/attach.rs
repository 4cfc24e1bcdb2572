//! `PUT /resources/{urn}/parent`.

use axum::{extract::State, http::StatusCode, response::Response};
use larder_http::{Fields, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use super::{
    PathUrn,
    dto::{ResourceDto, answer},
    fields,
};
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What a resource is in from now on.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what the handler reads")]
struct NewParent {
    parent_urn: String,
}

/// Put a resource into another
///
/// In place of the one that it is in. All that is in it moves with it.
#[utoipa::path(
    put,
    path = "/api/v1/resources/{urn}/parent",
    tag = "Resources",
    params(("urn" = String, Path, description = "Percent-encoded")),
    request_body = NewParent,
    responses(
        (status = 200, body = ResourceDto, description = "The child"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `SELF_LINK`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`, `PARENT_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`CYCLE`: the new parent is below the resource"),
    ),
)]
pub(super) async fn attach_resource(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    PathUrn(child): PathUrn,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let mut body = Fields::parse(&body)?;
    let parent = body.required("parentUrn", read::borrowed_text);
    let parent = body.finish(|| parent)?;
    let parent = fields::urn("parentUrn", &parent)?;
    let child = api.app.attach_resource(&caller, child, parent).await?;
    Ok(answer(StatusCode::OK, &child))
}
