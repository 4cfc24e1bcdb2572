//! `POST /inventory/items/{id}/move`: into the other inventory.

use larder_domain::{ItemId, Whose};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::{add::AddedItem, dto::ItemDto};
use crate::{ApiError, ApiState, Authenticated, Idempotency, PathId, need::ChangeStock};

request_body! {
    /// Where an item goes.
    struct Move {
        /// `household` or `personal`: the inventory that it is not in.
        required to: Whose as String = read::text(str::parse),
    }
}

/// Move an item between your own inventory and that of your household
///
/// It is merged with the item of the same name and expiration date there, if there is one. Places
/// of the household stay behind, and entries of its shopping list become text.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/{id}/move",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), Idempotency),
    request_body = Move,
    responses(
        (status = 200, body = AddedItem),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`QUOTA_EXCEEDED`: too many lots of its product there"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not in the other inventory; `NO_HOUSEHOLD`"),
        (status = 409, body = ProblemDocument, description = "`UNIT_MISMATCH`, with the existing item"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`"),
    ),
)]
pub(super) async fn move_item(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeStock>,
    PathId(id): PathId<ItemId>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Move { to } = Fields::parse(&body)?.into_body()?;
    let write = async |claim: Option<_>| api.app.move_item(&caller, id, to, claim.as_ref()).await;
    let moved = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let there = caller.clone().looking_at(to);
    let today = there.as_ref().unwrap_or(&caller).today(api.app.now());
    let item = ItemDto::of(&moved.item, today);
    Ok(Json::of(&AddedItem { item, merged: moved.merged }))
}
