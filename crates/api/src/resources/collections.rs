//! `GET /resources/{urn}/collections`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, Params, ProblemDocument};

use super::{PathUrn, dto::MembershipPage};
use crate::{
    paging::{PageQuery, USUAL_MOST},
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// List the collections of a resource
///
/// Ordered by URN. With DynamoDB, a change may appear with a short delay.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/collections",
    tag = "Resources",
    params(
        ("urn" = String, Path, description = "Percent-encoded"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = MembershipPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_collections(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    PathUrn(urn): PathUrn,
    mut params: Params,
) -> Result<Response, ApiError> {
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("collections {:?} {urn}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.collections(&caller, &urn, after.as_ref(), paging.limit).await?;
    Ok(Json(MembershipPage::of(&page, &list)).into_response())
}
