//! `POST /auth/register`.

use axum::http::StatusCode;
use larder_app::NewAccount;
use larder_domain::{Email, InviteCode, Password, PersonName};
use larder_http::{ClientAddress, Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::{choose_password, dto::LoginDto};
use crate::{ApiError, ApiState};

request_body! {
    /// A new account.
    struct Registration {
                required email: Email as String = read::text(Email::parse),
        #[schema(min_length = 8, max_length = 256, format = Password)]
        required password: Password as String = read::text(Password::parse),
        #[schema(min_length = 1, max_length = 100)]
        required name: PersonName as String = read::text(PersonName::parse),
        /// The invite code of the household that you join. Required unless yours is the first
        /// account, or the operator opened registration.
        optional code "inviteCode": String as String = read::text(str::parse),
    }
}

/// Register
///
/// Creates an account and logs in. With an invite code you are a member of its household from the
/// start.
#[utoipa::path(
    post,
    path = "/api/v1/auth/register",
    tag = "Accounts",
    security(()),
    request_body = Registration,
    responses(
        (status = 201, body = LoginDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`REGISTRATION_CLOSED`: no invite code, or not the current one of any household"),
        (status = 404, body = ProblemDocument, description = "`INVITE_NOT_FOUND`, where anybody may register"),
        (status = 409, body = ProblemDocument, description = "`EMAIL_TAKEN`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn register(
    api: ApiState,
    address: ClientAddress,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let Registration { email, password, name, code } = Fields::parse(&body)?.into_body()?;
    if let Some(limits) = &api.rate_limits {
        limits.check_registration(address)?;
        if code.is_some() {
            limits.check_invitation(address)?;
        }
    }
    let about = [email.as_str(), name.as_str()];
    let password = choose_password("password", password, &about)?;
    // A malformed code is answered like an unknown one.
    let code = code.as_deref().map(InviteCode::parse).transpose();
    let invite_code = code.map_err(|_| api.app.unknown_invitation())?;
    let new = NewAccount { email, password, name, invite_code };
    let login = api.app.register(&new).await?;
    Ok((StatusCode::CREATED, Json::of(&LoginDto::of(&login))))
}
