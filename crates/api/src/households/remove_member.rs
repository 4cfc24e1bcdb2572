//! `DELETE /households/current/members/{userId}`.

use axum::http::StatusCode;
use larder_domain::UserId;
use larder_http::ProblemDocument;

use crate::{
    ApiError, ApiState, Authenticated, PathId,
    jobs::{JobDto, accepted},
    need::Administrate,
};

/// Remove a member, or leave
///
/// Admins can remove anyone; everyone can remove themselves. Their own items stay theirs. The
/// invite code changes.
#[utoipa::path(
    delete,
    path = "/api/v1/households/current/members/{userId}",
    tag = "Households",
    params(("userId" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`MEMBER_NOT_FOUND`, `NO_HOUSEHOLD`"),
        (status = 409, body = ProblemDocument, description = "`LAST_ADMIN`"),
    ),
)]
pub(super) async fn remove_member(
    api: ApiState,
    Authenticated(caller): Authenticated,
    PathId(user): PathId<UserId>,
) -> Result<StatusCode, ApiError> {
    api.app.remove_member(&caller, user).await?;
    Ok(StatusCode::NO_CONTENT)
}
