//! `GET /households/current/members`.

use larder_http::{Json, ProblemDocument};

use super::dto::MemberDto;
use crate::{ApiError, ApiState, Authenticated, need::ReadHousehold};

/// List the members of my household
#[utoipa::path(
    get,
    path = "/api/v1/households/current/members",
    tag = "Households",
    security(("program" = ["read"]), ("program" = ["admin"])),
    responses(
        (status = 200, body = [MemberDto]),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn list_members(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadHousehold>,
) -> Result<Json, ApiError> {
    let members = api.app.members(&caller).await?;
    let members: Vec<_> = members.iter().map(MemberDto::of).collect();
    Ok(Json::of(&members))
}
