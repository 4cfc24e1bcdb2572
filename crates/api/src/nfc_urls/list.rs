//! `GET /nfc-urls`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, LinkBase, Params, ProblemDocument};

use super::{cursor, dto::TagPageDto};
use crate::{
    paging::{PageQuery, USUAL_MOST},
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// List all tags
///
/// Only for admins. Those of all items, newest first, including replaced ones.
#[utoipa::path(
    get,
    path = "/api/v1/nfc-urls",
    tag = "Tags",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = TagPageDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
    ),
)]
pub(super) async fn list_tags(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    links: LinkBase,
    mut params: Params,
) -> Result<Response, ApiError> {
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = cursor::list(&api, &caller, None);
    let page = api.app.tags(&caller, paging.after(&list)?.as_ref(), paging.limit).await?;
    Ok(Json(cursor::page(&links, &list, &page)).into_response())
}
