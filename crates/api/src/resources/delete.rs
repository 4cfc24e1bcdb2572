//! `DELETE /resources/{urn}`, and `?dryRun=true` for a preview.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_app::{DeletionSummary, ResourceDeletion};
use larder_domain::{Doomed, Urn};
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::{PathUrn, dto::UniqueKeyDto};
use crate::{
    ApiError, ApiState, Authenticated, PageQuery,
    jobs::{JobDto, accepted},
    need::ChangeThings,
};

/// The preview of a deletion.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeletionPreview<'a> {
    /// Each before those below it.
    items: Vec<DoomedDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
    /// The totals; only on the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryDto>,
}

/// A resource to be deleted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DoomedResource)]
struct DoomedDto<'a> {
    #[schema(value_type = String)]
    urn: &'a Urn,
    parent_urn: Option<&'a str>,
    /// The values that would become free.
    unique_keys: Vec<UniqueKeyDto<'a>>,
    /// The number of memberships, on either side, and grants that name it.
    links: u64,
}

/// The totals of a deletion.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DeletionSummary)]
struct SummaryDto {
    resources: u64,
    unique_keys: u64,
    /// The total of all links.
    links: u64,
    /// False if only the first 5,000 resources are counted.
    complete: bool,
}

impl<'a> DoomedDto<'a> {
    fn of(doomed: &'a Doomed) -> Self {
        Self {
            urn: &doomed.urn,
            parent_urn: doomed.parent.as_ref().map(Urn::as_str),
            unique_keys: doomed.unique_keys.iter().map(UniqueKeyDto::of).collect(),
            links: doomed.links,
        }
    }
}

impl SummaryDto {
    const fn of(summary: DeletionSummary) -> Self {
        let DeletionSummary { resources, unique_keys, links, is_complete } = summary;
        Self { resources, unique_keys, links, complete: is_complete }
    }
}

/// Delete a resource and everything below it
///
/// With its unique values, its grants and every membership that names any of them. A large tree is
/// deleted leaf by leaf after the response, and the job shows the progress. With `dryRun` nothing
/// is deleted.
#[utoipa::path(
    delete,
    path = "/api/v1/resources/{urn}",
    tag = "Resources",
    security(("program" = ["things"])),
    params(
        ("urn" = String, Path),
        ("dryRun" = Option<bool>, Query, description = "Only tell what would go"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 200, description = "With `dryRun`: 1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "With `dryRun`: `nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = DeletionPreview, description = "With `dryRun`: what would go"),
        (status = 202, body = JobDto, description = "It goes on; `Location` is the job"),
        (status = 204, description = "Gone"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours to delete"),
    ),
)]
pub(super) async fn delete_resource(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathUrn(urn): PathUrn,
    mut params: Params,
) -> Result<Response, ApiError> {
    if params.boolean("dryRun") == Some(true) {
        let paging = PageQuery::read(&mut params);
        params.finish(|| Some(()))?;
        let list = api.list(format_args!("deletion {} {urn}", caller.user_id()));
        let after = paging.after(&list)?;
        let page = api.app.preview_deletion(&caller, &urn, after.as_ref(), paging.limit).await?;
        let summary = match after {
            None => Some(SummaryDto::of(api.app.summarize_deletion(&caller, &urn).await?)),
            Some(_) => None,
        };
        let items = page.items.iter().map(DoomedDto::of).collect();
        let next_cursor = list.seal(page.next.as_ref());
        return Ok(Json::of(&DeletionPreview { items, next_cursor, summary }).into_response());
    }
    params.finish(|| Some(()))?;
    match api.app.delete_resource(&caller, &urn).await? {
        ResourceDeletion::Gone => Ok(StatusCode::NO_CONTENT.into_response()),
        ResourceDeletion::Begun(deletion) => Ok(accepted(&JobDto::of(&deletion))),
    }
}
