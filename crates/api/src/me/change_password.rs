//! `POST /me/password`.

use axum::{extract::State, http::StatusCode};
use larder_app::AppError;
use larder_domain::Password;
use larder_http::{Fields, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use crate::{
    problems::ApiError,
    state::{ApiState, InSession},
};

/// The password as it is and as it is to be.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what the handler reads")]
struct PasswordChange {
    #[schema(format = Password)]
    current: String,
    #[schema(format = Password)]
    new: String,
}

/// Change my password
///
/// Ends all of my sessions, except for the browser's that asked. Programs log in again with the new password; the
/// access tokens that they have are good until they expire, which takes minutes. A repetition changes nothing, with or
/// without an `Idempotency-Key`: nothing about passwords is stored under one.
#[utoipa::path(
    post,
    path = "/api/v1/me/password",
    tag = "Accounts",
    request_body = PasswordChange,
    responses(
        (status = 204, description = "Changed"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 401, body = ProblemDocument, description = "`INVALID_CREDENTIALS`: `current` is wrong"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn change_password(
    State(api): State<ApiState>,
    InSession(caller, session): InSession,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let current = fields.required("current", read::text(str::parse::<String>));
    let new = fields.required("new", read::text(Password::parse));
    let (current, new) = fields.finish(|| Some((current?, new?)))?;
    // Whoever finds a token must not try passwords faster than at the door.
    if let Some(limits) = &api.rate_limits {
        limits.check_login_of(&caller.user().email)?;
    }
    let current = Password::parse(&current).map_err(|_| AppError::InvalidCredentials)?;
    api.app.change_password(&caller, &current, new, session).await?;
    Ok(StatusCode::NO_CONTENT)
}
