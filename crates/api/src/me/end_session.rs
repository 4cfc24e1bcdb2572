//! `DELETE /me/sessions/{id}`.

use axum::http::StatusCode;
use larder_domain::SessionId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, Authenticated, PathId, need::LoggedIn};

/// End one of my sessions
///
/// A browser is logged out immediately, and so are the access tokens of a program; on other servers
/// of the same store within ten seconds.
#[utoipa::path(
    delete,
    path = "/api/v1/me/sessions/{id}",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Ended"),
        (status = 404, body = ProblemDocument, description = "`SESSION_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn end_session(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<LoggedIn>,
    PathId(id): PathId<SessionId>,
) -> Result<StatusCode, ApiError> {
    api.app.end_session(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
