//! `PATCH /shopping-list/{id}`: change what is said about an entry, if nobody else did meanwhile.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_domain::{
    InvalidShoppingField, ShoppingChange, ShoppingName, ShoppingNotes, ShoppingPatch,
};
use larder_http::{Fields, Json, JsonBody, Problem, ProblemDocument, read};
use utoipa::ToSchema;

use super::{
    dto::ShoppingItemDto,
    fields::{change, nullable, path_id, quantity, version},
};
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What to change. A field that is absent stays; one that is null is cleared, where it can be.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `read_update` reads")]
struct ShoppingItemChanges {
    /// The version that the change is based on.
    #[schema(minimum = 1)]
    version: u64,
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    #[schema(format = "uuid")]
    store_id: Option<String>,
    /// A whole number.
    #[schema(minimum = 1, maximum = 99_999_999)]
    quantity: Option<u32>,
    #[schema(max_length = 500)]
    notes: Option<String>,
}

fn read_update(body: &[u8]) -> Result<(u64, ShoppingPatch), Problem> {
    use InvalidShoppingField as Rule;
    let mut fields = Fields::parse(body)?;
    let version = version(&mut fields);
    let name = change(&mut fields, "name", Rule::Name, read::text(ShoppingName::parse));
    let store = nullable(&mut fields, "storeId", Rule::StoreId, read::text(str::parse));
    let quantity = nullable(&mut fields, "quantity", Rule::Quantity, quantity);
    let notes = nullable(&mut fields, "notes", Rule::Notes, read::text(ShoppingNotes::parse));
    let patch = ShoppingPatch {
        name,
        store: store.into_change(),
        quantity: quantity.into_change(),
        notes: notes.into_change().map(Option::flatten),
    };
    fields.finish(|| Some((version?, patch)))
}

/// Change an entry of the list
///
/// Name, store, quantity and notes. Whether it was bought is changed by itself, see its `status`.
#[utoipa::path(
    patch,
    path = "/api/v1/shopping-list/{id}",
    tag = "Shopping",
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
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id)?;
    let (version, patch) = read_update(&body)?;
    let change = ShoppingChange::Edit(patch);
    let entry = api.app.change_shopping_item(&caller, id, version, &change).await?;
    Ok(Json(ShoppingItemDto::of(&entry)).into_response())
}
