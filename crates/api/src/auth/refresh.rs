//! `POST /auth/refresh`.

use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::{LoginDto, RefreshToken};
use crate::{ApiError, ApiState};

/// Refresh a login
///
/// Each refresh token can be used once. Reuse ends the whole session, because it means that the
/// token was copied.
#[utoipa::path(
    post,
    path = "/api/v1/auth/refresh",
    tag = "Accounts",
    security(()),
    request_body = RefreshToken,
    responses(
        (status = 200, body = LoginDto),
        (status = 401, body = ProblemDocument, description = "`UNAUTHENTICATED`"),
    ),
)]
pub(super) async fn refresh(api: ApiState, JsonBody(body): JsonBody) -> Result<Json, ApiError> {
    let RefreshToken { refresh_token: token } = Fields::parse(&body)?.into_body()?;
    let login = api.app.refresh(&token).await?;
    Ok(Json::of(&LoginDto::of(&login)))
}
