//! `DELETE /stores/{id}`.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use larder_app::AppError;
use larder_http::ProblemDocument;

use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Delete a store
///
/// Its items have no preferred store afterwards.
#[utoipa::path(
    delete,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_store(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    api.app.delete_store(&caller, path_id(&id, AppError::StoreNotFound)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
