//! `PATCH /inventory/items/{id}`: change what is said about an item, if nobody else did meanwhile.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::{ExpirationDate, ImageUrl, ItemName, ItemPatch, Notes, Quantity, Unit};
use larder_http::{Fields, Json, JsonBody, Problem, ProblemDocument, read};
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What to change. A field that is absent stays; one that is null is cleared, where it can be.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `read_update` reads")]
struct ItemChanges {
    /// The version that the change is based on.
    #[schema(minimum = 1)]
    version: u64,
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    quantity: Option<f64>,
    #[schema(min_length = 1, max_length = 20)]
    unit: Option<String>,
    #[schema(format = Date)]
    expiration_date: Option<String>,
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
    /// When another item has the new name and date already, make the two one: the other stays, with both
    /// quantities.
    merge: Option<bool>,
}

struct Update {
    version: u64,
    patch: ItemPatch,
    merge: bool,
}

fn read_update(body: &[u8]) -> Result<Update, Problem> {
    let mut fields = Fields::parse(body)?;
    let version = fields.required("version", read::integer::<u64>);
    let merge = fields.optional("merge", read::boolean).unwrap_or(false);
    let patch = ItemPatch {
        name: fields.change("name", read::text(ItemName::parse)),
        quantity: fields.change("quantity", read::number(Quantity::parse)),
        unit: fields.change("unit", read::text(Unit::parse)),
        expiration: fields.patch("expirationDate", read::text(ExpirationDate::parse)).into_change(),
        category: fields.change("categoryId", read::text(str::parse)),
        location: fields.patch("storageLocationId", read::text(str::parse)).into_change(),
        image_url: fields.patch("imageUrl", read::text(ImageUrl::parse)).into_change(),
        notes: fields
            .patch("notes", read::text(Notes::parse))
            .into_change()
            .map(|notes| notes.filter(|notes| !notes.is_empty())),
        low_stock_threshold: fields
            .patch("lowStockThreshold", read::number(Quantity::parse))
            .into_change(),
        preferred_store: fields.patch("preferredStoreId", read::text(str::parse)).into_change(),
    };
    fields.finish(|| Some(Update { version: version?, patch, merge }))
}

/// Change an item
#[utoipa::path(
    patch,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
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
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::ItemNotFound)?;
    let Update { version, patch, merge } = read_update(&body)?;
    let today = caller.today(api.app.now());
    let item = api.app.update_item(&caller, id, version, patch, merge).await?;
    Ok(Json(ItemDto::of(&item, today)).into_response())
}
