//! `POST /me/password`.

use axum::http::StatusCode;
use larder_app::AppError;
use larder_domain::Password;
use larder_http::{Fields, JsonBody, ProblemDocument, read, request_body};

use crate::{ApiError, ApiState, InSession, auth::choose_password};

request_body! {
    /// The current password and the new one.
    struct PasswordChange {
        #[schema(format = Password)]
        required current: String as String = read::text(str::parse),
        #[schema(format = Password)]
        required new: Password as String = read::text(Password::parse),
    }
}

/// Change my password
///
/// Ends all of my sessions, except for the browser's that sent the request. Programs log in again
/// with the new password: their access tokens end with their sessions. A retry changes nothing, with
/// or without an `Idempotency-Key`: nothing about passwords is stored under one.
#[utoipa::path(
    post,
    path = "/api/v1/me/password",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    request_body = PasswordChange,
    responses(
        (status = 204, description = "Changed"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 401, body = ProblemDocument, description = "`INVALID_CREDENTIALS`: `current` is wrong"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn change_password(
    api: ApiState,
    InSession(caller, session): InSession,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let PasswordChange { current, new } = Fields::parse(&body)?.into_body()?;
    // A stolen token must not allow guessing passwords faster than logging in does.
    if let Some(limits) = &api.rate_limits {
        limits.check_password_of(caller.user_id())?;
    }
    let about = [caller.user().email.as_str(), caller.user().name.as_str()];
    let new = choose_password("new", new, &about)?;
    let current = Password::parse(&current).map_err(|_| AppError::InvalidCredentials)?;
    api.app.change_password(&caller, &current, new, session).await?;
    Ok(StatusCode::NO_CONTENT)
}
