//! `GET /grants/{principal}/{urn}`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, Params, ProblemDocument};

use super::{dto::GrantDto, path::PathGrant};
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Read a grant
#[utoipa::path(
    get,
    path = "/api/v1/grants/{principal}/{urn}",
    tag = "Resources",
    params(
        ("principal" = String, Path, description = "The URN of who may"),
        ("urn" = String, Path, description = "The URN of a resource, or of the account"),
    ),
    responses(
        (status = 200, body = GrantDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`GRANT_NOT_FOUND`, `NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn get_grant(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    PathGrant { principal, on }: PathGrant,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish(|| Some(()))?;
    let grant = api.app.grant(&caller, &principal, &on).await?;
    Ok(Json(GrantDto::of(&grant)).into_response())
}
