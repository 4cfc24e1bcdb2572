//! `POST /inventory/items/{id}/adjust`: change a quantity atomically.

use larder_domain::{Delta, ItemId};
use larder_http::{Fields, Hundredths, Json, JsonBody, ProblemDocument, read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{ApiError, ApiState, Idempotency, InInventory, PathId, need::ChangeStock};

request_body! {
    /// The change of a quantity.
    struct Adjustment {
        /// Any number except 0, with at most two decimals.
        required delta: Delta as f64 = read::number(Delta::parse),
    }
}

/// The item and the applied change.
#[derive(Serialize, ToSchema)]
struct AdjustedItem<'a> {
    #[schema(inline = false)]
    item: ItemDto<'a>,
    /// Less than requested if the quantity was lower.
    #[schema(value_type = f64)]
    applied: Hundredths,
}

/// Change a quantity
///
/// Atomic under any number of clients. The quantity stops at 0; reducing 0 changes nothing, and
/// `applied` is 0.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items/{id}/adjust",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), Idempotency),
    request_body = Adjustment,
    responses(
        (status = 200, body = AdjustedItem),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`"),
    ),
)]
pub(super) async fn adjust_item(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ItemId>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Adjustment { delta } = Fields::parse(&body)?.into_body()?;
    let today = caller.today(api.app.now());
    let write =
        async |claim: Option<_>| api.app.adjust_item(&caller, id, delta, claim.as_ref()).await;
    let adjusted = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let item = ItemDto::of(&adjusted.item, today);
    let applied = Hundredths(adjusted.applied_hundredths);
    Ok(Json::of(&AdjustedItem { item, applied }))
}
