//! `PATCH /shopping-list/{id}`: change an entry, unless it was changed concurrently.

use larder_domain::{
    InvalidShoppingField as Rule, ShoppingChange, ShoppingItemId, ShoppingName, ShoppingNotes,
    ShoppingPatch, ShoppingQuantity, StoreId,
};
use larder_http::{Fields, Json, JsonBody, Problem, ProblemDocument, read, request_body};

use super::{
    dto::ShoppingItemDto,
    fields::{by_rule, changed_name, quantity, version},
};
use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeShopping};

request_body! {
    /// The changes. Absent fields are unchanged; null clears a field, if it is optional.
    struct ShoppingItemChanges {
        /// The version that the change is based on.
        #[schema(minimum = 1)]
        special version: u64 as u64 = version,
        #[schema(min_length = 1, max_length = 100, nullable = false, required = false)]
        special name: Option<ShoppingName> as Option<String> =
            |fields, key| Some(changed_name(fields, key)),
        #[schema(format = "uuid")]
        patch store "storeId": StoreId as String = by_rule(Rule::StoreId, read::text(str::parse)),
        /// A whole number.
        #[schema(minimum = 1, maximum = 99_999_999)]
        patch quantity: ShoppingQuantity as u32 = by_rule(Rule::Quantity, quantity),
        #[schema(max_length = 500)]
        patch notes: Option<ShoppingNotes> as String =
            by_rule(Rule::Notes, read::text(ShoppingNotes::parse)),
    }
}

fn read_update(body: &[u8]) -> Result<(u64, ShoppingPatch), Problem> {
    let ShoppingItemChanges { version, name, store, quantity, notes } =
        Fields::parse(body)?.into_body()?;
    let patch = ShoppingPatch {
        name,
        store: store.into_change(),
        quantity: quantity.into_change(),
        notes: notes.into_change().map(Option::flatten),
    };
    Ok((version, patch))
}

/// Change an entry of the list
///
/// Name, store, quantity and notes. Its status is changed separately, see `status`.
#[utoipa::path(
    patch,
    path = "/api/v1/shopping-list/{id}",
    tag = "Shopping",
    security(("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    request_body = ShoppingItemChanges,
    responses(
        (status = 200, body = ShoppingItemDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`SHOPPING_ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`"),
    ),
)]
pub(super) async fn update_shopping_item(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    PathId(id): PathId<ShoppingItemId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let (version, patch) = read_update(&body)?;
    let change = ShoppingChange::Edit(patch);
    let entry = api.app.change_shopping_item(&caller, id, version, &change).await?;
    Ok(Json::of(&ShoppingItemDto::of(&entry)))
}
