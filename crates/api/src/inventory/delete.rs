//! `DELETE /inventory/items/{id}`.

use axum::http::StatusCode;
use larder_domain::ItemId;
use larder_http::{Params, ProblemDocument};

use crate::{ApiError, ApiState, InInventory, PathId, need::ChangeStock};

/// Delete an item
///
/// Its history stays readable.
#[utoipa::path(
    delete,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(
        ("id" = String, Path, format = "uuid"),
        ("version" = Option<u64>, Query, minimum = 1, description = "Delete it only if it still has this version"),
    ),
    responses(
        (status = 204, description = "Gone"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`"),
    ),
)]
pub(super) async fn delete_item(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ItemId>,
    mut params: Params,
) -> Result<StatusCode, ApiError> {
    let version = params
        .optional("version", |text| text.parse::<u64>().map_err(|_| "must be a whole number"));
    params.finish(|| Some(()))?;
    api.app.delete_item(&caller, id, version, None).await?;
    Ok(StatusCode::NO_CONTENT)
}
