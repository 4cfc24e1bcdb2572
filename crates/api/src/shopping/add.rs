//! `POST /shopping-list`: add to the list.

use axum::http::StatusCode;
use larder_app::NewShoppingItem;
use larder_domain::{
    HouseholdId, InvalidShoppingField as Rule, ItemId, ShoppingItemId, ShoppingName, ShoppingNotes,
    ShoppingQuantity, StoreId, UserId,
};
use larder_http::{
    Fields, Json, JsonBody, Problem, ProblemDocument, RequestBody as _, read, request_body,
};

use super::{
    dto::ShoppingItemDto,
    fields::{by_rule, name, quantity, refuse_malformed},
};
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::ChangeShopping};

request_body! {
    /// Something to buy.
    struct NewShoppingListItem {
        /// The item of the inventory to restock.
        #[schema(format = "uuid")]
        optional item "itemId": ItemId as String = by_rule(Rule::ItemId, read::text(str::parse)),
        #[schema(min_length = 1, max_length = 100)]
        special name: ShoppingName as String = name,
        /// Where to buy it. Absent: the preferred store of the item. Null: anywhere.
        #[schema(format = "uuid")]
        patch store "storeId": StoreId as String = by_rule(Rule::StoreId, read::text(str::parse)),
        /// A whole number.
        #[schema(minimum = 1, maximum = 99_999_999)]
        optional quantity: ShoppingQuantity as u32 = by_rule(Rule::Quantity, quantity),
        #[schema(max_length = 500)]
        optional notes: Option<ShoppingNotes> as String =
            by_rule(Rule::Notes, read::text(ShoppingNotes::parse)),
        /// Add it although the same item is already pending on the list.
        default force: bool as bool = read::boolean,
    }
}

fn read_new(body: &[u8]) -> Result<(NewShoppingItem, bool), Problem> {
    let mut fields = Fields::parse(body)?;
    let new = NewShoppingListItem::read(&mut fields);
    refuse_malformed::<ShoppingItemId>(&mut fields, "shoppingItemId", Rule::ShoppingItemId);
    refuse_malformed::<HouseholdId>(&mut fields, "familyId", Rule::FamilyId);
    refuse_malformed::<UserId>(&mut fields, "addedBy", Rule::MemberId);
    let NewShoppingListItem { item, name, store, quantity, notes, force } =
        fields.finish(|| new)?;
    let new = NewShoppingItem {
        item,
        name,
        store: store.into_change(),
        quantity,
        notes: notes.flatten(),
    };
    Ok((new, force))
}

/// Add to the shopping list
///
/// An item of the inventory that is already pending on the list is refused, also if two people add
/// it concurrently; `"force": true` adds it nevertheless.
#[utoipa::path(
    post,
    path = "/api/v1/shopping-list",
    tag = "Shopping",
    security(("program" = ["shopping"])),
    params(Idempotency),
    request_body = NewShoppingListItem,
    responses(
        (status = 201, body = ShoppingItemDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`DUPLICATE_SHOPPING_ITEM` with `existing`; `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_shopping_item(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let (new, force) = read_new(&body)?;
    let write = async |claim: Option<_>| {
        api.app.add_shopping_item(&caller, new, force, claim.as_ref()).await
    };
    let entry = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, Json::of(&ShoppingItemDto::of(&entry))))
}
