//! `GET /inventory/items/{id}/history`: who changed what, newest first.

use jiff::civil::Date;
use larder_domain::{ItemId, UserId};
use larder_http::{Json, ProblemDocument};
use larder_storage::ItemChange;
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ItemDto;
use crate::{ApiError, ApiState, InInventory, PageQuery, PathId, need::ReadStock, values::Time};

/// One change of an item.
#[derive(Serialize, ToSchema)]
struct HistoryEntry<'a> {
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// The user who made it; null for the system.
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
        at: Time(change.at),
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
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), PageQuery),
    responses(
        (status = 200, body = HistoryPage),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: never there, or not yours"),
    ),
)]
pub(super) async fn item_history(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    PathId(id): PathId<ItemId>,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("history {:?} {id}", caller.owner()));
    let page = api.app.item_history(&caller, id, paging.after(&list)?, paging.limit).await?;
    let today = caller.today(api.app.now());
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|change| entry(change, today)).collect();
    Ok(Json::of(&HistoryPage { items, next_cursor }))
}
