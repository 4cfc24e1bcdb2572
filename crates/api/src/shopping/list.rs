//! `GET /shopping-list`: what to buy, by store and status.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_app::Caller;
use larder_domain::{
    InvalidShoppingField, ShoppingFilter, ShoppingPosition, ShoppingStatus, StoreChoice,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ShoppingItemDto;
use crate::{
    http::{InvalidCursor, Json, Params, Problem, ProblemDocument},
    paging::{decode_position, encode_position, page_limit},
    state::{ApiState, Authenticated},
};

/// A page of the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShoppingPage<'a> {
    items: Vec<ShoppingItemDto<'a>>,
    /// Where the next page begins; null on the last one.
    next_cursor: Option<String>,
}

fn read_filter(params: &mut Params) -> ShoppingFilter {
    let store = params.optional("storeId", |text| match text {
        "unassigned" => Ok(StoreChoice::Unassigned),
        id => id.parse().map(StoreChoice::Store).map_err(|_| InvalidShoppingField::StoreId),
    });
    let status = params.optional("status", |text| match text {
        "all" => Ok(None),
        status => ShoppingStatus::parse(status).map(Some),
    });
    ShoppingFilter { store, status: status.flatten() }
}

/// What a cursor belongs to: one household's list, and one part of it.
fn binding(caller: &Caller, filter: &ShoppingFilter) -> Vec<u8> {
    format!("shopping {:?} {filter:?}", caller.owner()).into_bytes()
}

/// List what to buy
///
/// In the order in which it was added.
#[utoipa::path(
    get,
    path = "/api/v1/shopping-list",
    tag = "Shopping",
    params(
        ("storeId" = Option<String>, Query, description = "The id of a store, or `unassigned`"),
        ("status" = Option<String>, Query, description = "`pending`, `purchased` or `all` (default)"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = ShoppingPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_shopping_items(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    mut params: Params,
) -> Result<Response, Problem> {
    let filter = read_filter(&mut params);
    let limit = page_limit(&mut params);
    let cursor = params.text("cursor");
    params.finish(|| Some(()))?;
    let binding = binding(&caller, &filter);
    let after = match cursor {
        None => None,
        Some(cursor) => {
            let bytes = api.cursors.open(&binding, &cursor)?;
            let (created_at, id) = decode_position(&bytes).ok_or(InvalidCursor)?;
            Some(ShoppingPosition { created_at, id })
        }
    };
    let page = api.app.shopping_list(&caller, &filter, after.as_ref(), limit).await?;
    let seal = |next: ShoppingPosition| {
        api.cursors.seal(&binding, &encode_position(next.created_at, next.id))
    };
    let items = page.items.iter().map(ShoppingItemDto::of).collect();
    Ok(Json(ShoppingPage { items, next_cursor: page.next.map(seal) }).into_response())
}
