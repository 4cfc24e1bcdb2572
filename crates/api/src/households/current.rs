//! `GET /households/current`.

use larder_http::{Json, ProblemDocument};

use super::dto::HouseholdDto;
use crate::{ApiError, ApiState, Authenticated, need::ReadHousehold};

/// Read my household
#[utoipa::path(
    get,
    path = "/api/v1/households/current",
    tag = "Households",
    security(("program" = ["read"]), ("program" = ["admin"])),
    responses(
        (status = 200, body = HouseholdDto),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn current_household(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadHousehold>,
) -> Result<Json, ApiError> {
    let household = api.app.household(&caller).await?;
    let shown = HouseholdDto::of(&household).with_invite_code(&household, caller.sees_keys());
    Ok(Json::of(&shown))
}
