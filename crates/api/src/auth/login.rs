//! `POST /auth/login`.

use larder_http::{
    ClientAddress, Fields, Json, JsonBody, Problem, ProblemDocument, read, request_body, try_login,
};

use super::dto::LoginDto;
use crate::{ApiError, ApiState, rate_limits::RateLimits};

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
    let limits = api.rate_limits.as_ref().map(RateLimits::accounts);
    let app = &api.app;
    let try_password = |email, password| async move { app.login(&email, &password).await };
    let login = try_login(limits, address, &email, &password, try_password).await;
    let login = login.map_err(Problem::from)??;
    Ok(Json::of(&LoginDto::of(&login)))
}
