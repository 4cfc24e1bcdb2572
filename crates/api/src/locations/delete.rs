//! `DELETE /storage-locations/{id}`.

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

/// Delete a storage location of the household
///
/// Its items have no location afterwards.
#[utoipa::path(
    delete,
    path = "/api/v1/storage-locations/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 404, body = ProblemDocument, description = "`LOCATION_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_location(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    api.app.delete_location(&caller, path_id(&id, AppError::LocationNotFound)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
