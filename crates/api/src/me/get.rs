//! `GET /me`.

use axum::response::{IntoResponse, Response};
use larder_http::{Json, ProblemDocument};

use crate::{
    auth::dto::UserDto,
    state::{ApiState, Authenticated},
};

/// Read my account
#[utoipa::path(
    get,
    path = "/api/v1/me",
    tag = "Accounts",
    responses(
        (status = 200, body = UserDto),
        (status = 401, body = ProblemDocument, description = "`UNAUTHENTICATED`"),
    ),
)]
pub(super) async fn me(
    _: axum::extract::State<ApiState>,
    Authenticated(caller): Authenticated,
) -> Response {
    Json(UserDto::of(caller.user())).into_response()
}
