//! `GET /resources/{urn}/…`: the lists of resources that are related to one.

use larder_http::{Json, ProblemDocument};

use super::{
    PathUrn,
    dto::{MembershipPage, ResourcePage},
};
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::ReadThings};

/// List the children of a resource
///
/// Only direct children, ordered by URN. Also for callers whom a grant allows to read the resource.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/children",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(PathUrn, PageQuery),
    responses(
        (status = 200, body = ResourcePage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_children(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("children {:?} {urn}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.children(&caller, &urn, after.as_ref(), paging.limit).await?;
    Ok(Json::of(&ResourcePage::of(&page, &list)))
}

/// List the ancestors of a resource
///
/// Nearest first: its parent, the parent's parent, and so on.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/ancestors",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(PathUrn, PageQuery),
    responses(
        (status = 200, body = ResourcePage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_ancestors(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("ancestors {:?} {urn}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.ancestors(&caller, &urn, after.as_ref(), paging.limit).await?;
    Ok(Json::of(&ResourcePage::of(&page, &list)))
}

/// List the collections of a resource
///
/// Ordered by URN. With DynamoDB, a change may appear with a short delay.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/collections",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(PathUrn, PageQuery),
    responses(
        (status = 200, body = MembershipPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_collections(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("collections {:?} {urn}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.collections(&caller, &urn, after.as_ref(), paging.limit).await?;
    Ok(Json::of(&MembershipPage::of(&page, &list)))
}

/// List the members of a collection
///
/// Ordered by URN. Members outlive the collection.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/members",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(PathUrn, PageQuery),
    responses(
        (status = 200, body = MembershipPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_collection_members(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("members {:?} {urn}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.collection_members(&caller, &urn, after.as_ref(), paging.limit).await?;
    Ok(Json::of(&MembershipPage::of(&page, &list)))
}
