//! `DELETE /me/tokens/{id}`.

use axum::http::StatusCode;
use larder_domain::ProgramTokenId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, Authenticated, PathId, need::LoggedIn};

/// Revoke one of my tokens for programs
///
/// It stops working immediately, and on other servers of the same store within ten seconds.
#[utoipa::path(
    delete,
    path = "/api/v1/me/tokens/{id}",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Revoked"),
        (status = 404, body = ProblemDocument, description = "`TOKEN_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn revoke_token(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<LoggedIn>,
    PathId(id): PathId<ProgramTokenId>,
) -> Result<StatusCode, ApiError> {
    api.app.revoke_program_token(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
