//! `DELETE /inventory/items/{id}`.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use larder_app::AppError;

use crate::{
    http::{Problem, ProblemDocument},
    path_id::path_id,
    state::{ApiState, Authenticated},
};

/// Delete an item
///
/// Its history stays readable.
#[utoipa::path(
    delete,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_item(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.delete_item(&caller, path_id(&id, AppError::ItemNotFound)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
