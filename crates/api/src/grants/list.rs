//! `GET /grants`.

use larder_domain::GrantFilter;
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::GrantDto;
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::ReadThings, resources::fields};

/// A page of grants.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GrantPage<'a> {
    items: Vec<GrantDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List the grants of my household
///
/// Ordered by resource, then principal: all grants, those directly on one resource, or those of one
/// principal. The permissions of members are not stored as grants.
#[utoipa::path(
    get,
    path = "/api/v1/grants",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        ("urn" = Option<String>, Query, format = "urn", description = "Only those on this resource or account itself"),
        ("principal" = Option<String>, Query, format = "urn", description = "Only those of this principal; not together with `urn`"),
        PageQuery,
    ),
    responses(
        (status = 200, body = GrantPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn list_grants(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let (on, principal) = (params.text("urn"), params.text("principal"));
    let paging = PageQuery::read(&mut params);
    if on.is_some() && principal.is_some() {
        params.refuse("principal", "must not be given together with urn");
    }
    params.finish(|| Some(()))?;
    let filter = match (on, principal) {
        (Some(on), _) => GrantFilter::On(fields::urn("urn", &on)?),
        (None, Some(principal)) => GrantFilter::Of(fields::urn("principal", &principal)?),
        (None, None) => GrantFilter::All,
    };
    let list = api.list(format_args!("grants {:?} {filter:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.grants(&caller, &filter, after.as_ref(), paging.limit).await?;
    let items = page.items.iter().map(GrantDto::of).collect();
    let next_cursor = list.seal(page.next.as_ref());
    Ok(Json::of(&GrantPage { items, next_cursor }))
}
