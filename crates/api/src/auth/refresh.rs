//! `POST /auth/refresh`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::{LoginDto, RefreshToken};
use crate::{problems::ApiError, state::ApiState};

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
pub(super) async fn refresh(
    State(api): State<ApiState>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let RefreshToken { refresh_token: token } = Fields::parse(&body)?.into_body()?;
    let login = api.app.refresh(&token).await?;
    Ok(Json(LoginDto::of(&login)).into_response())
}
