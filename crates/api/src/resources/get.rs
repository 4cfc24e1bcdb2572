//! `GET /resources/{urn}`.

use larder_http::ProblemDocument;

use super::{
    PathUrn,
    dto::{ResourceAnswer, ResourceDto, answer},
};
use crate::{ApiError, ApiState, Authenticated, need::ReadThings};

/// Read a resource
///
/// One of the household, or one that a grant allows you to read.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(PathUrn),
    responses(
        (status = 200, body = ResourceDto, description = "`ETag` is what a change of it needs"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_resource(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
) -> Result<ResourceAnswer, ApiError> {
    let resource = api.app.resource(&caller, &urn).await?;
    Ok(answer(&resource))
}
