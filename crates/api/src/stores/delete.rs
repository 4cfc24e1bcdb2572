//! `DELETE /stores/{id}`.

use axum::http::StatusCode;
use larder_domain::StoreId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeShopping};

/// Delete a store
///
/// Its items have no preferred store afterwards.
#[utoipa::path(
    delete,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    security(("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_store(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    PathId(id): PathId<StoreId>,
) -> Result<StatusCode, ApiError> {
    api.app.delete_store(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
