//! `GET /resources/{urn}/parent`.

use larder_http::ProblemDocument;

use super::{
    PathUrn,
    dto::{ResourceAnswer, ResourceDto, answer},
};
use crate::{ApiError, ApiState, Authenticated, need::ReadThings};

/// Read the parent of a resource
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/parent",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(PathUrn),
    responses(
        (status = 200, body = ResourceDto, description = "The parent"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`PARENT_NOT_FOUND`: it is in nothing; `RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_parent(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
) -> Result<ResourceAnswer, ApiError> {
    let parent = api.app.parent(&caller, &urn).await?;
    Ok(answer(&parent))
}
