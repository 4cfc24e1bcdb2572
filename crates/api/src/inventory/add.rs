//! `POST /inventory/items`: add an item, or more of one.

use axum::http::StatusCode;
use larder_http::{Fields, Json, JsonBody, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::{ItemDto, NewItem};
use crate::{ApiError, ApiState, Idempotency, InInventory, need::ChangeStock};

/// An item and whether it existed before.
#[derive(Serialize, ToSchema)]
pub(super) struct AddedItem<'a> {
    #[schema(inline = false)]
    pub(super) item: ItemDto<'a>,
    /// Whether an item of this name and expiration date existed, and its quantity was increased.
    pub(super) merged: bool,
}

/// Add an item, or increase its quantity
///
/// There is only one item with the same name (as people read it) and expiration date: its quantity
/// grows, converted exactly into its unit, and its other fields are unchanged. What is left open is
/// as the product of the name knows it.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(Idempotency),
    request_body = NewItem,
    responses(
        (status = 201, body = AddedItem, description = "A new item"),
        (status = 200, body = AddedItem, description = "Added to the item that was there"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`UNIT_MISMATCH`, with the existing item"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`"),
    ),
)]
pub(super) async fn add_item(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let new: NewItem = Fields::parse(&body)?.into_body()?;
    let (open, remember) = (new.left_open(), new.remember);
    let barcode = new.barcode;
    let today = caller.today(api.app.now());
    let write = async |claim: Option<_>| {
        let details = api.app.filled_in(&caller, new.into(), open).await?;
        let added = match barcode {
            Some(code) => {
                api.app.add_item_with_barcode(&caller, details, code, claim.as_ref()).await?
            }
            None => api.app.add_item(&caller, details, claim.as_ref()).await?,
        };
        if remember {
            api.app.remember_lot(&caller, &added.item).await?;
        }
        Ok(added)
    };
    let added = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let status = if added.merged { StatusCode::OK } else { StatusCode::CREATED };
    let answer = AddedItem { item: ItemDto::of(&added.item, today), merged: added.merged };
    Ok((status, Json::of(&answer)))
}
