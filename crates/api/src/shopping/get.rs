//! `GET /shopping-list/{id}`.

use larder_domain::ShoppingItemId;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::ShoppingItemDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::ReadShopping};

/// Read an entry of the list
#[utoipa::path(
    get,
    path = "/api/v1/shopping-list/{id}",
    tag = "Shopping",
    security(("program" = ["read"]), ("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = ShoppingItemDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`: not an id"),
        (status = 404, body = ProblemDocument, description = "`SHOPPING_ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_shopping_item(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadShopping>,
    PathId(id): PathId<ShoppingItemId>,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    let entry = api.app.shopping_item(&caller, id).await?;
    Ok(Json::of(&ShoppingItemDto::of(&entry)))
}
