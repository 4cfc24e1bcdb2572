//! `GET /products/{id}/history`: who changed what, newest first.

use larder_domain::{ProductId, UserId};
use larder_http::{Json, ProblemDocument};
use larder_storage::ProductChange;
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::ProductDto;
use crate::{ApiError, ApiState, InInventory, PageQuery, PathId, need::ReadStock, values::Time};

/// One change of a product, without its lots.
#[derive(Serialize, ToSchema)]
struct ProductHistoryEntry<'a> {
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// The user who made it; null for the system.
    #[schema(value_type = Option<String>, format = "uuid")]
    by: Option<UserId>,
    /// `INSERT`, `UPDATE` or `DELETE`.
    action: &'static str,
    /// The product before; null if it was added.
    #[schema(inline = false)]
    old: Option<ProductDto<'a>>,
    /// The product after; null if it was deleted.
    #[schema(inline = false)]
    new: Option<ProductDto<'a>>,
}

/// A page of changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProductHistoryPage<'a> {
    items: Vec<ProductHistoryEntry<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

fn entry(change: &ProductChange) -> ProductHistoryEntry<'_> {
    let (old, new) = (&change.versions.old, &change.versions.new);
    ProductHistoryEntry {
        at: Time(change.at),
        by: change.by,
        action: match (old, new) {
            (None, _) => "INSERT",
            (Some(_), Some(_)) => "UPDATE",
            (Some(_), None) => "DELETE",
        },
        old: old.as_ref().map(|product| ProductDto::with_lots(product, &[])),
        new: new.as_ref().map(|product| ProductDto::with_lots(product, &[])),
    }
}

/// Read the history of a product
///
/// Newest first. It outlives the product, for as long as the journal is kept.
#[utoipa::path(
    get,
    path = "/api/v1/products/{id}/history",
    tag = "Products",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), PageQuery),
    responses(
        (status = 200, body = ProductHistoryPage),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: never there, or not yours"),
    ),
)]
pub(super) async fn product_history(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    PathId(id): PathId<ProductId>,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("product history {:?} {id}", caller.owner()));
    let page = api.app.product_history(&caller, id, paging.after(&list)?, paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(entry).collect();
    Ok(Json::of(&ProductHistoryPage { items, next_cursor }))
}
