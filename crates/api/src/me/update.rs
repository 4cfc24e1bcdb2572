//! `PATCH /me`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_domain::PersonName;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use crate::{
    auth::dto::UserDto,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What to change about the caller. A field that is absent stays.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what the handler reads")]
struct AccountChanges {
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
}

/// Change my account
///
/// The members of the household see the new name, too.
#[utoipa::path(
    patch,
    path = "/api/v1/me",
    tag = "Accounts",
    request_body = AccountChanges,
    responses(
        (status = 200, body = UserDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
pub(super) async fn update_me(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let name = fields.change("name", read::text(PersonName::parse));
    let name = fields.finish(|| Some(name))?;
    let user = match name {
        Some(name) => api.app.rename_me(&caller, name).await?,
        None => caller.user().clone(),
    };
    Ok(Json(UserDto::of(&user)).into_response())
}
