//! `DELETE /me`.

use axum::response::Response;
use larder_app::{AppError, OwnerProof};
use larder_domain::Password;
use larder_http::{Fields, JsonBody, ProblemDocument, read, request_body};

use crate::{
    ApiError, ApiState, Authenticated,
    jobs::{JobDto, accepted},
    need::LoggedIn,
};

request_body! {
    /// What shows that it is the person themselves.
    struct AccountDeletion {
        #[schema(format = Password)]
        optional password: String as String = read::text(str::parse),
        /// For an account without a password, which logs in elsewhere: its address.
        #[schema(format = Email)]
        optional email: String as String = read::text(str::parse),
    }
}

/// Delete my account
///
/// With everything that is mine alone, and with my household if nobody else is in it. From others'
/// households I only leave: what I did there stays in their history, without my name. It continues
/// after the response; my tokens and sessions end at once.
#[utoipa::path(
    delete,
    path = "/api/v1/me",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    request_body = AccountDeletion,
    responses(
        (status = 202, body = JobDto, description = "It goes on, and nothing is left to ask about it"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 401, body = ProblemDocument, description = "`INVALID_CREDENTIALS`: `password` is wrong or missing"),
        (status = 409, body = ProblemDocument, description = "`LAST_ADMIN`: make another member admin first"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn delete_me(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<LoggedIn>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let AccountDeletion { password, email } = Fields::parse(&body)?.into_body()?;
    // A stolen token must not allow guessing passwords faster than logging in does.
    if let Some(limits) = &api.rate_limits {
        limits.check_password_of(caller.user_id())?;
    }
    let proof = match (password, email) {
        (Some(password), _) => {
            let password = Password::parse(&password).map_err(|_| AppError::InvalidCredentials)?;
            OwnerProof::Password(password)
        }
        (None, Some(email)) => OwnerProof::Email(email),
        (None, None) => return Err(AppError::InvalidCredentials.into()),
    };
    let erasure = api.app.erase_account(&caller, &proof).await?;
    Ok(accepted(&JobDto::of_erasure(&erasure)))
}
