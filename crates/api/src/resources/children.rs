//! `GET /resources/{urn}/children`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, Params, ProblemDocument};

use super::{PathUrn, dto::ResourcePage};
use crate::{
    paging::{PageQuery, USUAL_MOST},
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// List the children of a resource
///
/// Only direct children, ordered by URN. Also for callers whom a grant allows to read the resource.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/children",
    tag = "Resources",
    params(
        ("urn" = String, Path, description = "Percent-encoded"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = ResourcePage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_children(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    PathUrn(urn): PathUrn,
    mut params: Params,
) -> Result<Response, ApiError> {
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("children {:?} {urn}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.children(&caller, &urn, after.as_ref(), paging.limit).await?;
    Ok(Json(ResourcePage::of(&page, &list)).into_response())
}
