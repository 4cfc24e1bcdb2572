//! `GET /grants/{principal}/{urn}`.

use larder_http::{Json, Params, ProblemDocument};

use super::{dto::GrantDto, path::PathGrant};
use crate::{ApiError, ApiState, Authenticated, need::ReadThings};

/// Read a grant
#[utoipa::path(
    get,
    path = "/api/v1/grants/{principal}/{urn}",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        ("principal" = String, Path, description = "The URN of who may"),
        ("urn" = String, Path, description = "The URN of a resource, or of the account"),
    ),
    responses(
        (status = 200, body = GrantDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`GRANT_NOT_FOUND`, `NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn get_grant(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathGrant { principal, on }: PathGrant,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    let grant = api.app.grant(&caller, &principal, &on).await?;
    Ok(Json::of(&GrantDto::of(&grant)))
}
