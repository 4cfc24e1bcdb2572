//! `DELETE /resources/{urn}/parent`.

use axum::{extract::State, http::StatusCode, response::Response};
use larder_http::ProblemDocument;

use super::{
    PathUrn,
    dto::{ResourceDto, answer},
};
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Remove a resource from its parent
///
/// Its children stay with it. Without a parent, nothing happens.
#[utoipa::path(
    delete,
    path = "/api/v1/resources/{urn}/parent",
    tag = "Resources",
    params(("urn" = String, Path, description = "Percent-encoded")),
    responses(
        (status = 200, body = ResourceDto, description = "The child, which is in nothing now"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn detach_resource(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    PathUrn(child): PathUrn,
) -> Result<Response, ApiError> {
    let child = api.app.detach_resource(&caller, &child).await?;
    Ok(answer(StatusCode::OK, &child))
}
