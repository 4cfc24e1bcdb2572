//! `GET /inventory/items/{id}`.

use larder_domain::ItemId;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::ItemDto;
use crate::{ApiError, ApiState, InInventory, PathId, need::ReadStock};

/// Read an item
#[utoipa::path(
    get,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = ItemDto),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_item(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    PathId(id): PathId<ItemId>,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    let item = api.app.item(&caller, id).await?;
    Ok(Json::of(&ItemDto::of(&item, caller.today(api.app.now()))))
}
