//! `GET /stores/{id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Json, ProblemDocument};

use super::dto::StoreDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Read a store
#[utoipa::path(
    get,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = StoreDto),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_store(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let store = api.app.store(&caller, path_id(&id, AppError::StoreNotFound)?).await?;
    Ok(Json(StoreDto::of(&store)).into_response())
}
