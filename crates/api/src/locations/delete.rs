//! `DELETE /storage-locations/{id}`.

use axum::http::StatusCode;
use larder_domain::StorageLocationId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeStock};

/// Delete a storage location of the household
///
/// Its items have no location afterwards.
#[utoipa::path(
    delete,
    path = "/api/v1/storage-locations/{id}",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 404, body = ProblemDocument, description = "`LOCATION_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_location(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeStock>,
    PathId(id): PathId<StorageLocationId>,
) -> Result<StatusCode, ApiError> {
    api.app.delete_location(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
