//! `POST /inventory/items/{id}/undo`: undo the last change.

use larder_domain::ItemId;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{ApiError, ApiState, Idempotency, InInventory, PathId, need::ChangeStock};

request_body! {
    /// Which change to undo.
    struct Undo {
        /// The version after the change: the item's current one.
        #[schema(minimum = 1)]
        required version: u64 as u64 = read::integer,
    }
}

/// The item as it was before the change, with a new version.
#[derive(Serialize, ToSchema)]
struct UndoneChange<'a> {
    #[schema(inline = false)]
    item: ItemDto<'a>,
}

/// Undo the last change of an item
///
/// A second undo redoes the change. An addition is undone by deleting the item.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/{id}/undo",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), Idempotency),
    request_body = Undo,
    responses(
        (status = 200, body = UndoneChange),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`; `NOTHING_TO_UNDO`; `DUPLICATE_ITEM` with `existing`"),
    ),
)]
pub(super) async fn undo_item_change(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ItemId>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Undo { version } = Fields::parse(&body)?.into_body()?;
    let today = caller.today(api.app.now());
    let write = async |claim: Option<_>| {
        api.app.undo_item_change(&caller, id, version, claim.as_ref()).await
    };
    let item = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok(Json::of(&UndoneChange { item: ItemDto::of(&item, today) }))
}
