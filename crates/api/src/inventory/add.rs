//! `POST /inventory/items`: add an item, or more of one.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_http::{Fields, Json, JsonBody, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::{ItemDto, NewItem};
use crate::{
    idempotency::Idempotency,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// An item and whether it existed before.
#[derive(Serialize, ToSchema)]
pub(super) struct AddedItem<'a> {
    #[schema(inline = false)]
    item: ItemDto<'a>,
    /// Whether an item of this name and expiration date existed, and its quantity was increased.
    merged: bool,
}

/// Add an item, or increase its quantity
///
/// There is only one item with the same name (as people read it) and expiration date: its quantity
/// grows, converted exactly into its unit, and its other fields are unchanged.
#[utoipa::path(
    post,
    path = "/api/v1/inventory/items",
    tag = "Inventory",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a repetition safe for 24 hours")),
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
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let details = Fields::parse(&body)?.into_body::<NewItem>()?.into();
    let today = caller.today(api.app.now());
    let write = async |claim: Option<_>| api.app.add_item(&caller, details, claim.as_ref()).await;
    let added = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let status = if added.merged { StatusCode::OK } else { StatusCode::CREATED };
    let answer = AddedItem { item: ItemDto::of(&added.item, today), merged: added.merged };
    Ok((status, Json(answer)).into_response())
}
