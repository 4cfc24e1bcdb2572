//! `POST /auth/register`.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_app::NewAccount;
use larder_domain::{Email, InviteCode, Password, PersonName};
use larder_http::{ClientAddress, Fields, Json, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use super::dto::LoginDto;
use crate::{problems::ApiError, state::ApiState};

/// A new account.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what the handler reads")]
struct Registration {
    #[schema(max_length = 254, format = "email")]
    email: String,
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The invite code of the household that you become a member of. Needed unless yours is the first account, or
    /// the operator opened registration.
    invite_code: Option<String>,
}

/// Register
///
/// Makes an account and logs in. With an invite code you belong to its household from the beginning.
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
    State(api): State<ApiState>,
    address: ClientAddress,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let email = fields.required("email", read::text(Email::parse));
    let password = fields.required("password", read::text(Password::parse));
    let name = fields.required("name", read::text(PersonName::parse));
    let code = fields.optional("inviteCode", read::text(str::parse::<String>));
    let (email, password, name) = fields.finish(|| Some((email?, password?, name?)))?;
    if let Some(limits) = &api.rate_limits {
        limits.check_registration(address)?;
        if code.is_some() {
            limits.check_invitation(address)?;
        }
    }
    // What cannot be a code opens nothing, just as a wrong one does.
    let code = code.as_deref().map(InviteCode::parse).transpose();
    let invite_code = code.map_err(|_| api.app.unknown_invitation())?;
    let new = NewAccount { email, password, name, invite_code };
    let login = api.app.register(&new).await?;
    Ok((StatusCode::CREATED, Json(LoginDto::of(&login))).into_response())
}
