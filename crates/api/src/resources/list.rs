//! `GET /resources`.

use larder_http::{Json, Params, ProblemDocument};

use super::{dto::ResourcePage, fields};
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::ReadThings};

/// List the resources of the household
///
/// Ordered by URN. With DynamoDB, a change may appear with a short delay.
#[utoipa::path(
    get,
    path = "/api/v1/resources",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        ("resourceType" = Option<String>, Query, max_length = 200, pattern = r"^[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)*$", description = "Only those of this type"),
        PageQuery,
    ),
    responses(
        (status = 200, body = ResourcePage),
        (status = 400, body = ProblemDocument, description = "`INVALID_RESOURCE_TYPE`, `INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_resources(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let kind = params.text("resourceType");
    let paging = PageQuery::read(&mut params);
    params.finish(|| Some(()))?;
    let kind = kind.map(|text| fields::resource_type("resourceType", &text)).transpose()?;
    let list = api.list(format_args!("resources {:?} {kind:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.resources(&caller, kind.as_ref(), after.as_ref(), paging.limit).await?;
    Ok(Json::of(&ResourcePage::of(&page, &list)))
}
