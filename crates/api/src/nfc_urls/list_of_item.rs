//! `GET /inventory/items/{itemId}/nfc-urls`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Json, LinkBase, Params, ProblemDocument};

use super::{cursor, dto::TagPageDto};
use crate::{
    paging::{PageQuery, USUAL_MOST},
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// List the tags of an item
///
/// Only for admins. Newest first, including replaced ones.
#[utoipa::path(
    get,
    path = "/api/v1/inventory/items/{itemId}/nfc-urls",
    tag = "Tags",
    params(
        ("itemId" = String, Path, format = "uuid"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = TagPageDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_item_tags(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(item): Path<String>,
    links: LinkBase,
    mut params: Params,
) -> Result<Response, ApiError> {
    let item = path_id(&item, AppError::ItemNotFound)?;
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = cursor::list(&api, &caller, Some(item));
    let after = paging.after(&list)?;
    let page = api.app.item_tags(&caller, item, after.as_ref(), paging.limit).await?;
    Ok(Json(cursor::page(&links, &list, &page)).into_response())
}
