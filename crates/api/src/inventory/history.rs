//! `GET /inventory/items/{id}/history`: who changed what, newest first.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use jiff::{Timestamp, civil::Date};
use larder_app::AppError;
use larder_domain::{ItemId, UserId};
use larder_http::{Json, Params, ProblemDocument};
use larder_storage::ItemChange;
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{
    paging::{PageQuery, USUAL_MOST},
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
    values::{as_optional_text, as_time},
};

/// One change of an item.
#[derive(Serialize, ToSchema)]
struct HistoryEntry<'a> {
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The user who made it; null for the system.
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = "uuid")]
    by: Option<UserId>,
    /// `INSERT`, `UPDATE` or `DELETE`.
    action: &'static str,
    /// The item before; null if it was added.
    #[schema(inline = false)]
    old: Option<ItemDto<'a>>,
    /// The item after; null if it was deleted.
    #[schema(inline = false)]
    new: Option<ItemDto<'a>>,
}

/// A page of changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct HistoryPage<'a> {
    items: Vec<HistoryEntry<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

fn entry(change: &ItemChange, today: Date) -> HistoryEntry<'_> {
    let (old, new) = (&change.versions.old, &change.versions.new);
    HistoryEntry {
        at: change.at,
        by: change.by,
        action: match (old, new) {
            (None, _) => "INSERT",
            (Some(_), Some(_)) => "UPDATE",
            (Some(_), None) => "DELETE",
        },
        old: old.as_ref().map(|item| ItemDto::of(item, today)),
        new: new.as_ref().map(|item| ItemDto::of(item, today)),
    }
}

/// Read the history of an item
///
/// Newest first. It outlives the item, for as long as the journal is kept.
#[utoipa::path(
    get,
    path = "/api/v1/inventory/items/{id}/history",
    tag = "Inventory",
    params(
        ("id" = String, Path, format = "uuid"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = HistoryPage),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: never there, or not yours"),
    ),
)]
pub(super) async fn item_history(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    mut params: Params,
) -> Result<Response, ApiError> {
    let id: ItemId = path_id(&id, AppError::ItemNotFound)?;
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("history {:?} {id}", caller.owner()));
    let page = api.app.item_history(&caller, id, paging.after(&list)?, paging.limit).await?;
    let today = caller.today(api.app.now());
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|change| entry(change, today)).collect();
    Ok(Json(HistoryPage { items, next_cursor }).into_response())
}
