//! `GET /resources/{urn}/parent`.

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

/// Read the parent of a resource
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/parent",
    tag = "Resources",
    params(("urn" = String, Path, description = "Percent-encoded")),
    responses(
        (status = 200, body = ResourceDto, description = "The parent"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`PARENT_NOT_FOUND`: it is in nothing; `RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_parent(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    PathUrn(urn): PathUrn,
) -> Result<Response, ApiError> {
    let parent = api.app.parent(&caller, &urn).await?;
    Ok(answer(StatusCode::OK, &parent))
}
