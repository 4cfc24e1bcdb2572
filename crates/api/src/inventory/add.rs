//! `POST /inventory/items`: add an item, or more of one.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_domain::{
    ExpirationDate, ImageUrl, ItemDetails, ItemName, Notes, OTHER_CATEGORY, Quantity, Unit,
};
use larder_http::{Fields, Json, JsonBody, Problem, ProblemDocument, read};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{
    idempotency::Idempotency,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// A new item.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `read_details` reads")]
struct NewItem {
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// An exact decimal with at most two places.
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    quantity: f64,
    #[schema(min_length = 1, max_length = 20)]
    unit: String,
    #[schema(format = Date)]
    expiration_date: Option<String>,
    /// Without one, the item is in "Other".
    #[schema(format = "uuid")]
    category_id: Option<String>,
    #[schema(format = "uuid")]
    storage_location_id: Option<String>,
    #[schema(max_length = 500)]
    image_url: Option<String>,
    #[schema(max_length = 1000)]
    notes: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    low_stock_threshold: Option<f64>,
    #[schema(format = "uuid")]
    preferred_store_id: Option<String>,
}

/// An item and whether it was there before.
#[derive(Serialize, ToSchema)]
pub(super) struct AddedItem<'a> {
    #[schema(inline = false)]
    item: ItemDto<'a>,
    /// Whether the same thing (name and date) was there, and this was added to it.
    merged: bool,
}

fn read_details(body: &[u8]) -> Result<ItemDetails, Problem> {
    let mut fields = Fields::parse(body)?;
    let name = fields.required("name", read::text(ItemName::parse));
    let quantity = fields.required("quantity", read::number(Quantity::parse));
    let unit = fields.required("unit", read::text(Unit::parse));
    let expiration = fields.optional("expirationDate", read::text(ExpirationDate::parse));
    let category = fields.optional("categoryId", read::text(str::parse));
    let location = fields.optional("storageLocationId", read::text(str::parse));
    let image_url = fields.optional("imageUrl", read::text(ImageUrl::parse));
    let notes = fields.optional("notes", read::text(Notes::parse)).filter(|it| !it.is_empty());
    let low_stock_threshold = fields.optional("lowStockThreshold", read::number(Quantity::parse));
    let preferred_store = fields.optional("preferredStoreId", read::text(str::parse));
    fields.finish(|| {
        Some(ItemDetails {
            name: name?,
            quantity: quantity?,
            unit: unit?,
            expiration,
            category: category.unwrap_or(OTHER_CATEGORY),
            location,
            image_url,
            notes,
            low_stock_threshold,
            preferred_store,
        })
    })
}

/// Add an item, or more of one
///
/// The same thing (name as people read it, and expiration date) is not listed twice: its quantity grows,
/// converted exactly into the unit that is there.
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
    let details = read_details(&body)?;
    let today = caller.today(api.app.now());
    let write = async |claim: Option<_>| api.app.add_item(&caller, details, claim.as_ref()).await;
    let added = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let status = if added.merged { StatusCode::OK } else { StatusCode::CREATED };
    let answer = AddedItem { item: ItemDto::of(&added.item, today), merged: added.merged };
    Ok((status, Json(answer)).into_response())
}
