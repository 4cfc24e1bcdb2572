//! `POST /auth/login`.

use larder_app::AppError;
use larder_domain::{Email, Password};
use larder_http::{ClientAddress, Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::LoginDto;
use crate::{ApiError, ApiState};

request_body! {
    /// An email address and its password.
    struct Credentials {
        required email: String as String = read::text(str::parse),
        #[schema(format = Password)]
        required password: String as String = read::text(str::parse),
    }
}

/// Log in
#[utoipa::path(
    post,
    path = "/api/v1/auth/login",
    tag = "Accounts",
    security(()),
    request_body = Credentials,
    responses(
        (status = 200, body = LoginDto),
        (status = 401, body = ProblemDocument, description = "`INVALID_CREDENTIALS`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn login(
    api: ApiState,
    address: ClientAddress,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Credentials { email, password } = Fields::parse(&body)?.into_body()?;
    if let Some(limits) = &api.rate_limits {
        limits.check_login(address)?;
    }
    // An invalid email or password is answered like a wrong one, so that the reason stays secret.
    let (Ok(email), Ok(password)) = (Email::parse(&email), Password::parse(&password)) else {
        return Err(AppError::InvalidCredentials.into());
    };
    if let Some(limits) = &api.rate_limits {
        limits.check_login_of(&email)?;
    }
    let login = api.app.login(&email, &password).await?;
    Ok(Json::of(&LoginDto::of(&login)))
}
