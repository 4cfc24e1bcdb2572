//! `DELETE /me/sessions/{id}`.

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

/// End one of my sessions
///
/// A browser is logged out immediately, a program when its access token expires, which takes
/// minutes.
#[utoipa::path(
    delete,
    path = "/api/v1/me/sessions/{id}",
    tag = "Accounts",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Ended"),
        (status = 404, body = ProblemDocument, description = "`SESSION_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn end_session(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    api.app.end_session(&caller, path_id(&id, AppError::SessionNotFound)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
