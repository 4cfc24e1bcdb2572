//! `DELETE /households/current/members/{userId}`.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use larder_app::AppError;
use larder_http::ProblemDocument;

use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
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
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(user): Path<String>,
) -> Result<StatusCode, ApiError> {
    api.app.remove_member(&caller, path_id(&user, AppError::MemberNotFound)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
