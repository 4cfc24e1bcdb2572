//! `PATCH /stores/{id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::{StoreAddress, StoreName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::StoreDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

request_body! {
    /// The changes. Absent fields are unchanged; a null `address` clears it.
    struct StoreChanges {
        #[schema(min_length = 1, max_length = 100)]
        change name: StoreName as String = read::text(StoreName::parse),
        #[schema(max_length = 500)]
        patch address: StoreAddress as String = read::text(StoreAddress::parse),
    }
}

/// Change a store
#[utoipa::path(
    patch,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    request_body = StoreChanges,
    responses(
        (status = 200, body = StoreDto),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn update_store(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::StoreNotFound)?;
    let StoreChanges { name, address } = Fields::parse(&body)?.into_body()?;
    let store = api.app.update_store(&caller, id, name, address.into_change()).await?;
    Ok(Json(StoreDto::of(&store)).into_response())
}
