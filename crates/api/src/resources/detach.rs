//! `DELETE /resources/{urn}/parent`.

use larder_http::ProblemDocument;

use super::{
    PathUrn,
    dto::{ResourceAnswer, ResourceDto, answer},
};
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

/// Remove a resource from its parent
///
/// Its children stay with it. Without a parent, nothing happens.
#[utoipa::path(
    delete,
    path = "/api/v1/resources/{urn}/parent",
    tag = "Resources",
    security(("program" = ["things"])),
    params(PathUrn),
    responses(
        (status = 200, body = ResourceDto, description = "The child, which is in nothing now"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn detach_resource(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathUrn(child): PathUrn,
) -> Result<ResourceAnswer, ApiError> {
    let child = api.app.detach_resource(&caller, &child).await?;
    Ok(answer(&child))
}
