//! `PATCH /households/current/members/{userId}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::Role;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::MemberDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

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
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(user): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let user = path_id(&user, AppError::MemberNotFound)?;
    let RoleChange { role } = Fields::parse(&body)?.into_body()?;
    let member = api.app.change_role(&caller, user, role).await?;
    Ok(Json(MemberDto::of(&member)).into_response())
}
