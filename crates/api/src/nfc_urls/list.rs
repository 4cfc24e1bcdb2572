//! `GET /nfc-urls`.

use larder_http::{Json, LinkBase, ProblemDocument};

use super::{cursor, dto::TagPageDto};
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::Administrate};

/// List all tags
///
/// Only for admins. Those of all items, newest first, including replaced ones.
#[utoipa::path(
    get,
    path = "/api/v1/nfc-urls",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(PageQuery),
    responses(
        (status = 200, body = TagPageDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
    ),
)]
pub(super) async fn list_tags(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    links: LinkBase,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = cursor::list(&api, &caller, None);
    let page = api.app.tags(&caller, paging.after(&list)?.as_ref(), paging.limit).await?;
    Ok(Json::of(&cursor::page(&links, &list, &page)))
}
