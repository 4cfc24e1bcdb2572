//! `GET /shopping-list`: the list, by store and status.

use larder_domain::{InvalidShoppingField, ShoppingFilter, ShoppingStatus, StoreChoice};
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ShoppingItemDto;
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::ReadShopping};

/// A page of the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ShoppingPage<'a> {
    items: Vec<ShoppingItemDto<'a>>,
    /// The cursor of the next page; null on the last page.
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

/// List the entries of the shopping list
///
/// In the order of addition.
#[utoipa::path(
    get,
    path = "/api/v1/shopping-list",
    tag = "Shopping",
    security(("program" = ["read"]), ("program" = ["shopping"])),
    params(
        ("storeId" = Option<String>, Query, pattern = "^(unassigned|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$", description = "The id of a store, or `unassigned`"),
        ("status" = Option<String>, Query, pattern = "^(pending|purchased|all)$", description = "`pending`, `purchased` or `all` (default)"),
        PageQuery,
    ),
    responses(
        (status = 200, body = ShoppingPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_shopping_items(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadShopping>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let filter = read_filter(&mut params);
    let paging = PageQuery::read(&mut params);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("shopping {:?} {filter:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.shopping_list(&caller, &filter, after.as_ref(), paging.limit).await?;
    let items = page.items.iter().map(ShoppingItemDto::of).collect();
    let next_cursor = list.seal(page.next.as_ref());
    Ok(Json::of(&ShoppingPage { items, next_cursor }))
}
