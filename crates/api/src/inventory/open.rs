//! `POST /inventory/items/{id}/open`: open an item, or a part of it.

use larder_domain::{ItemId, Quantity};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{ApiError, ApiState, Idempotency, InInventory, PathId, need::ChangeStock};

request_body! {
    /// How much to open.
    struct Opening {
        /// More than 0, with at most two decimals. Absent: all of it.
        #[schema(minimum = 0.01, maximum = 99_999_999.99)]
        optional quantity: Quantity as f64 = read::number(Quantity::parse_more_than_zero),
    }
}

/// An item that was opened.
#[derive(Serialize, ToSchema)]
struct OpenedItem<'a> {
    /// The open item. A part that keeps less long than the rest is an item of its own, with the date
    /// that counts as its expiration date.
    #[schema(inline = false)]
    opened: ItemDto<'a>,
    /// What is left, if a part became an item of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline = false)]
    rest: Option<ItemDto<'a>>,
}

/// Open an item, or a part of it
///
/// Sets `openedOn` to today. If a part of an item keeps less long than the rest once it is open, it
/// becomes an item of its own, or joins the one of that date; otherwise the item stays one. An item
/// that is open already stays as it is.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/{id}/open",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), Idempotency),
    request_body = Opening,
    responses(
        (status = 200, body = OpenedItem),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`QUOTA_EXCEEDED`: too many lots of one product"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`"),
        (status = 409, body = ProblemDocument, description = "`UNIT_MISMATCH` with the item of that date"),
        (status = 422, body = ProblemDocument, description = "`NOT_ENOUGH`, with the item; `QUANTITY_OVERFLOW`"),
    ),
)]
pub(super) async fn open_item(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ItemId>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Opening { quantity } = Fields::parse(&body)?.into_body()?;
    let today = caller.today(api.app.now());
    let write =
        async |claim: Option<_>| api.app.open_item(&caller, id, quantity, claim.as_ref()).await;
    let done = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let rest = done.rest.as_ref().map(|rest| ItemDto::of(rest, today));
    Ok(Json::of(&OpenedItem { opened: ItemDto::of(&done.opened, today), rest }))
}
