//! `PATCH /inventory/items/{id}`: change an item, unless it was changed concurrently.

use larder_domain::ItemId;
use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::{ItemChanges, ItemDto};
use crate::{ApiError, ApiState, InInventory, PathId, need::ChangeStock};

/// Change an item
#[utoipa::path(
    patch,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    request_body = ItemChanges,
    responses(
        (status = 200, body = ItemDto, description = "The item now; after a merge, the other one"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`; `DUPLICATE_ITEM`, `UNIT_MISMATCH` with `existing`"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`"),
    ),
)]
pub(super) async fn update_item(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ItemId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let changes: ItemChanges = Fields::parse(&body)?.into_body()?;
    let (version, merge) = (changes.version, changes.merge);
    let today = caller.today(api.app.now());
    let item = api.app.update_item(&caller, id, version, changes.into(), merge, None).await?;
    Ok(Json::of(&ItemDto::of(&item, today)))
}
