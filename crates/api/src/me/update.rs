//! `PATCH /me`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_domain::PersonName;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use crate::{
    auth::dto::UserDto,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

request_body! {
    /// The changes. Absent fields are unchanged.
    struct AccountChanges {
        #[schema(min_length = 1, max_length = 100)]
        change name: PersonName as String = read::text(PersonName::parse),
    }
}

/// Change my account
///
/// The new name is visible to the members of the household.
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
    let AccountChanges { name } = Fields::parse(&body)?.into_body()?;
    let user = match name {
        Some(name) => api.app.rename_me(&caller, name).await?,
        None => caller.user().clone(),
    };
    Ok(Json(UserDto::of(&user)).into_response())
}
