//! `GET /me`.

use larder_http::{Json, ProblemDocument};

use crate::{ApiState, Authenticated, auth::dto::UserDto, need::ReadHousehold};

/// Read my account
#[utoipa::path(
    get,
    path = "/api/v1/me",
    tag = "Accounts",
    security(("program" = ["read"]), ("program" = ["admin"])),
    responses(
        (status = 200, body = UserDto),
        (status = 401, body = ProblemDocument, description = "`UNAUTHENTICATED`"),
    ),
)]
pub(super) async fn me(
    _: ApiState,
    Authenticated(caller, ..): Authenticated<ReadHousehold>,
) -> Json {
    Json::of(&UserDto::of(caller.user()))
}
