//! `POST /auth/reset`.

use axum::http::StatusCode;
use larder_app::{AppError, ResetPassword};
use larder_domain::Password;
use larder_http::{ClientAddress, Fields, JsonBody, Problem, ProblemDocument, read, request_body};

use super::guessable;
use crate::{ApiError, ApiState};

request_body! {
    /// A new password, and what allows to set it.
    struct PasswordReset {
        /// The last part of the link that was mailed.
        required token: String as String = read::text(str::parse),
        #[schema(min_length = 8, max_length = 256, format = Password)]
        required password: Password as String = read::text(Password::parse),
    }
}

/// Choose another password with a mailed link
///
/// Ends all sessions of the account. A link works once.
#[utoipa::path(
    post,
    path = "/api/v1/auth/reset",
    tag = "Accounts",
    security(()),
    request_body = PasswordReset,
    responses(
        (status = 204, description = "Changed"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 410, body = ProblemDocument, description = "`RESET_LINK_EXPIRED`: the link is too old, was used, or is not from here"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn reset(
    api: ApiState,
    address: ClientAddress,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let PasswordReset { token, password } = Fields::parse(&body)?.into_body()?;
    if let Some(limits) = &api.rate_limits {
        limits.accounts().check_reset(address).map_err(Problem::from)?;
    }
    match api.app.reset_password(&token, password).await? {
        ResetPassword::Done => Ok(StatusCode::NO_CONTENT),
        ResetPassword::LinkRefused => Err(AppError::ResetLinkExpired.into()),
        ResetPassword::Guessable(reason) => Err(guessable("password", reason).into()),
    }
}
