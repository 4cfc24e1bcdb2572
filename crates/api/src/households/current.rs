//! `GET /households/current`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, ProblemDocument};

use super::dto::HouseholdDto;
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Read my household
#[utoipa::path(
    get,
    path = "/api/v1/households/current",
    tag = "Households",
    responses(
        (status = 200, body = HouseholdDto),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn current_household(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
) -> Result<Response, ApiError> {
    let household = api.app.household(&caller).await?;
    let shown = HouseholdDto::of(&household).with_invite_code(&household, caller.is_admin());
    Ok(Json(shown).into_response())
}
