//! `PATCH /households/current/members/{userId}`.

use larder_domain::{Role, UserId};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::MemberDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::Administrate};

request_body! {
    /// The new role.
    struct RoleChange {
        /// `admin` or `member`.
        required role: Role as String = read::text(str::parse),
    }
}

/// Change the role of a member
///
/// Only for admins.
#[utoipa::path(
    patch,
    path = "/api/v1/households/current/members/{userId}",
    tag = "Households",
    security(("program" = ["admin"])),
    params(("userId" = String, Path, format = "uuid")),
    request_body = RoleChange,
    responses(
        (status = 200, body = MemberDto),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`MEMBER_NOT_FOUND`, `NO_HOUSEHOLD`"),
        (status = 409, body = ProblemDocument, description = "`LAST_ADMIN`"),
    ),
)]
pub(super) async fn change_role(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    PathId(user): PathId<UserId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let RoleChange { role } = Fields::parse(&body)?.into_body()?;
    let member = api.app.change_role(&caller, user, role).await?;
    Ok(Json::of(&MemberDto::of(&member)))
}
