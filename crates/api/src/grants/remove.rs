//! `DELETE /grants/{principal}/{urn}`.

use axum::http::StatusCode;
use larder_http::{Params, ProblemDocument};

use super::path::PathGrant;
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

/// Revoke a grant
///
/// Takes effect immediately. Only for admins and principals with `grant`.
#[utoipa::path(
    delete,
    path = "/api/v1/grants/{principal}/{urn}",
    tag = "Resources",
    security(("program" = ["things"])),
    params(
        ("principal" = String, Path, description = "The URN of who may"),
        ("urn" = String, Path, description = "The URN of a resource, or of the account"),
    ),
    responses(
        (status = 204, description = "Taken back"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 403, body = ProblemDocument, description = "`GRANT_NOT_ALLOWED`"),
        (status = 404, body = ProblemDocument, description = "`GRANT_NOT_FOUND`, `NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn remove_grant(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathGrant { principal, on }: PathGrant,
    params: Params,
) -> Result<StatusCode, ApiError> {
    params.finish(|| Some(()))?;
    api.app.remove_grant(&caller, &principal, &on).await?;
    Ok(StatusCode::NO_CONTENT)
}
