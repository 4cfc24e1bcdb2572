//! `DELETE /shopping-list/{id}`.

use axum::http::StatusCode;
use larder_domain::ShoppingItemId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeShopping};

/// Delete an entry of the list
#[utoipa::path(
    delete,
    path = "/api/v1/shopping-list/{id}",
    tag = "Shopping",
    security(("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`: not an id"),
        (status = 404, body = ProblemDocument, description = "`SHOPPING_ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_shopping_item(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    PathId(id): PathId<ShoppingItemId>,
) -> Result<StatusCode, ApiError> {
    api.app.delete_shopping_item(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
