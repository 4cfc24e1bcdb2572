//! `POST /auth/logout`.

use axum::http::StatusCode;
use larder_http::{Fields, JsonBody};

use super::dto::RefreshToken;
use crate::{ApiError, ApiState};

/// Log out
///
/// Ends the session of the refresh token. Idempotent.
#[utoipa::path(
    post,
    path = "/api/v1/auth/logout",
    tag = "Accounts",
    security(()),
    request_body = RefreshToken,
    responses((status = 204, description = "Ended")),
)]
pub(super) async fn logout(
    api: ApiState,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let RefreshToken { refresh_token: token } = Fields::parse(&body)?.into_body()?;
    api.app.logout(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}
