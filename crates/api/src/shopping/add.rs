//! `POST /shopping-list`: put something on the list.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_app::NewShoppingItem;
use larder_domain::{
    HouseholdId, InvalidShoppingField, ShoppingItemId, ShoppingName, ShoppingNotes, UserId,
};
use larder_http::{Fields, Json, JsonBody, Problem, ProblemDocument, read};
use utoipa::ToSchema;

use super::{
    dto::ShoppingItemDto,
    fields::{nullable, quantity, refuse_malformed, required},
};
use crate::{
    idempotency::Idempotency,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Something to buy.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `read_new` reads")]
struct NewShoppingListItem {
    /// The item of the inventory that it restocks.
    #[schema(format = "uuid")]
    item_id: Option<String>,
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Where it is bought. Absent: the preferred store of the item. Null: anywhere.
    #[schema(format = "uuid")]
    store_id: Option<String>,
    /// A whole number.
    #[schema(minimum = 1, maximum = 99_999_999)]
    quantity: Option<u32>,
    #[schema(max_length = 500)]
    notes: Option<String>,
    /// Add it although the same item is on the list already, still to be bought.
    force: Option<bool>,
}

fn read_new(body: &[u8]) -> Result<(NewShoppingItem, bool), Problem> {
    use InvalidShoppingField as Rule;
    let mut fields = Fields::parse(body)?;
    let item = nullable(&mut fields, "itemId", Rule::ItemId, read::text(str::parse));
    let name = required(&mut fields, "name", Rule::Name, read::text(ShoppingName::parse));
    let store = nullable(&mut fields, "storeId", Rule::StoreId, read::text(str::parse));
    let quantity = nullable(&mut fields, "quantity", Rule::Quantity, quantity);
    let notes = nullable(&mut fields, "notes", Rule::Notes, read::text(ShoppingNotes::parse));
    let force = fields.optional("force", read::boolean).unwrap_or(false);
    refuse_malformed::<ShoppingItemId>(&mut fields, "shoppingItemId", Rule::ShoppingItemId);
    refuse_malformed::<HouseholdId>(&mut fields, "familyId", Rule::FamilyId);
    refuse_malformed::<UserId>(&mut fields, "addedBy", Rule::MemberId);
    fields.finish(|| {
        let new = NewShoppingItem {
            item: item.apply(None),
            name: name?,
            store: store.into_change(),
            quantity: quantity.apply(None),
            notes: notes.apply(None).flatten(),
        };
        Some((new, force))
    })
}

/// Put something on the list
///
/// An item of the inventory that is on the list already, still to be bought, is refused, also when two people
/// add it at the same moment; `"force": true` adds it all the same.
#[utoipa::path(
    post,
    path = "/api/v1/shopping-list",
    tag = "Shopping",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a repetition safe for 24 hours")),
    request_body = NewShoppingListItem,
    responses(
        (status = 201, body = ShoppingItemDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`DUPLICATE_SHOPPING_ITEM` with `existing`; `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_shopping_item(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let (new, force) = read_new(&body)?;
    let write = async |claim: Option<_>| {
        api.app.add_shopping_item(&caller, new, force, claim.as_ref()).await
    };
    let entry = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, Json(ShoppingItemDto::of(&entry))).into_response())
}
