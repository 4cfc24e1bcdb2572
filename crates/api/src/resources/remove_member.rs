//! `DELETE /resources/{urn}/members/{memberUrn}`.

use axum::http::StatusCode;
use larder_http::ProblemDocument;

use super::path::PathMembership;
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

/// Remove a resource from a collection
///
/// Both stay. If it is not a member, nothing happens.
#[utoipa::path(
    delete,
    path = "/api/v1/resources/{urn}/members/{memberUrn}",
    tag = "Resources",
    security(("program" = ["things"])),
    params(
        ("urn" = String, Path, description = "The collection, percent-encoded"),
        ("memberUrn" = String, Path, description = "The member, percent-encoded"),
    ),
    responses(
        (status = 204, description = "It is not in it now"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`COLLECTION_NOT_FOUND`, `MEMBER_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn remove_collection_member(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathMembership { collection, member }: PathMembership,
) -> Result<StatusCode, ApiError> {
    api.app.remove_from_collection(&caller, &collection, &member).await?;
    Ok(StatusCode::NO_CONTENT)
}
