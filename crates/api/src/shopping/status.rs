//! `PATCH /shopping-list/{id}/status`: check off, or uncheck.

use larder_domain::{
    InvalidShoppingField as Rule, ShoppingChange, ShoppingItem, ShoppingItemId, ShoppingQuantity,
    ShoppingStatus,
};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    dto::ShoppingItemDto,
    fields::{required, version},
};
use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeShopping};

request_body! {
    /// Whether it was bought.
    struct ShoppingStatusChange {
        /// `pending` or `purchased`.
        special status: ShoppingStatus as String = |fields, name| {
            required(fields, name, Rule::Status, read::text(ShoppingStatus::parse))
        },
        /// The version that the change is based on.
        #[schema(minimum = 1)]
        special version: u64 as u64 = version,
    }
}

/// An entry, and how to add the purchase to the stock.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckedShoppingItem<'a> {
    #[serde(flatten)]
    entry: ShoppingItemDto<'a>,
    /// Only after the purchase of an entry linked to an item: the purchase itself does not change
    /// the stock.
    #[serde(skip_serializing_if = "Option::is_none")]
    restock: Option<Restock>,
}

/// A request that adds the purchase to the item.
#[derive(Serialize, ToSchema)]
struct Restock {
    #[schema(format = "uri-reference")]
    href: String,
    method: &'static str,
    body: RestockBody,
}

/// The change of the quantity.
#[derive(Serialize, ToSchema)]
struct RestockBody {
    /// The quantity on the list, or 1.
    delta: u32,
}

impl Restock {
    fn offered_for(entry: &ShoppingItem) -> Option<Self> {
        let item = entry.item.filter(|_| entry.status == ShoppingStatus::Purchased)?;
        Some(Self {
            href: format!("/api/v1/inventory/items/{item}/adjust"),
            method: "POST",
            body: RestockBody { delta: entry.details.quantity.map_or(1, ShoppingQuantity::get) },
        })
    }
}

/// Check an entry off, or uncheck it
///
/// Purchased entries are deleted automatically after seven days.
#[utoipa::path(
    patch,
    path = "/api/v1/shopping-list/{id}/status",
    tag = "Shopping",
    security(("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    request_body = ShoppingStatusChange,
    responses(
        (status = 200, body = CheckedShoppingItem),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`SHOPPING_ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`"),
    ),
)]
pub(super) async fn set_shopping_status(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    PathId(id): PathId<ShoppingItemId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let ShoppingStatusChange { status, version } = Fields::parse(&body)?.into_body()?;
    let change = ShoppingChange::Status(status);
    let entry = api.app.change_shopping_item(&caller, id, version, &change).await?;
    let restock = Restock::offered_for(&entry);
    Ok(Json::of(&CheckedShoppingItem { entry: ShoppingItemDto::of(&entry), restock }))
}
