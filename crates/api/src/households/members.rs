//! `GET /households/current/members`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, ProblemDocument};

use super::dto::MemberDto;
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// List the members of my household
#[utoipa::path(
    get,
    path = "/api/v1/households/current/members",
    tag = "Households",
    responses(
        (status = 200, body = [MemberDto]),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn list_members(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
) -> Result<Response, ApiError> {
    let members = api.app.members(&caller).await?;
    let members: Vec<_> = members.iter().map(MemberDto::of).collect();
    Ok(Json(members).into_response())
}
