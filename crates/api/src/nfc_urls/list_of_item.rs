//! `GET /inventory/items/{itemId}/nfc-urls`.

use larder_domain::ItemId;
use larder_http::{Json, LinkBase, ProblemDocument};

use super::{cursor, dto::TagPageDto};
use crate::{ApiError, ApiState, Authenticated, PageQuery, PathId, need::Administrate};

/// List the tags of an item
///
/// Only for admins. Newest first, including replaced ones.
#[utoipa::path(
    get,
    path = "/api/v1/inventory/items/{itemId}/nfc-urls",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(("itemId" = String, Path, format = "uuid"), PageQuery),
    responses(
        (status = 200, body = TagPageDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_item_tags(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    PathId(item): PathId<ItemId>,
    links: LinkBase,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = cursor::list(&api, &caller, Some(item));
    let after = paging.after(&list)?;
    let page = api.app.item_tags(&caller, item, after.as_ref(), paging.limit).await?;
    Ok(Json::of(&cursor::page(&links, &list, &page)))
}
