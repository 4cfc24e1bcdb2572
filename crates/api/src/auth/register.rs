//! `POST /auth/register`.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_domain::{Email, Password, PersonName};
use larder_http::ClientAddress;
use utoipa::ToSchema;

use super::dto::LoginDto;
use crate::{
    http::{Fields, Json, JsonBody, Problem, ProblemDocument, read},
    state::ApiState,
};

/// A new account.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what the handler reads")]
struct Registration {
    #[schema(max_length = 254, format = "email")]
    email: String,
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
    #[schema(min_length = 1, max_length = 100)]
    name: String,
}

/// Register
///
/// Makes an account and logs in.
#[utoipa::path(
    post,
    path = "/api/v1/auth/register",
    tag = "Accounts",
    security(()),
    request_body = Registration,
    responses(
        (status = 201, body = LoginDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`EMAIL_TAKEN`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn register(
    State(api): State<ApiState>,
    address: ClientAddress,
    JsonBody(body): JsonBody,
) -> Result<Response, Problem> {
    let mut fields = Fields::parse(&body)?;
    let email = fields.required("email", read::text(Email::parse));
    let password = fields.required("password", read::text(Password::parse));
    let name = fields.required("name", read::text(PersonName::parse));
    let (email, password, name) = fields.finish(|| Some((email?, password?, name?)))?;
    if let Some(limits) = &api.rate_limits {
        limits.check_registration(address)?;
    }
    let login = api.app.register(email, password, name).await?;
    Ok((StatusCode::CREATED, Json(LoginDto::of(&login))).into_response())
}
