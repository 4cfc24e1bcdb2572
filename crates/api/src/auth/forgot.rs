//! `POST /auth/forgot`.

use axum::http::StatusCode;
use larder_domain::Email;
use larder_http::{ClientAddress, Fields, JsonBody, Problem, ProblemDocument, read, request_body};

use crate::{ApiError, ApiState};

request_body! {
    /// Whose password is forgotten.
    struct ForgottenPassword {
                required email: Email as String = read::text(Email::parse_stored),
    }
}

/// Ask for a link to choose another password
///
/// Mails a link that is good for 30 minutes and for one use. The answer is the same for an address
/// without an account, and if no mail can be sent.
#[utoipa::path(
    post,
    path = "/api/v1/auth/forgot",
    tag = "Accounts",
    security(()),
    request_body = ForgottenPassword,
    responses(
        (status = 202, description = "Accepted: if there is such an account, a mail is on its way"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn forgot(
    api: ApiState,
    address: ClientAddress,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let ForgottenPassword { email } = Fields::parse(&body)?.into_body()?;
    if let Some(limits) = &api.rate_limits {
        limits.accounts().check_reset_request(address, &email).map_err(Problem::from)?;
    }
    api.app.ask_for_reset(email);
    Ok(StatusCode::ACCEPTED)
}
