//! `PUT /resources/{urn}/members/{memberUrn}`.

use axum::http::StatusCode;
use larder_app::AppError;
use larder_domain::CollectionMemberRelationship;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::{dto::RelationshipDto, path::PathMembership};
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

request_body! {
    /// The properties of a membership.
    struct NewMembership {
        /// Whether grants on the collection also apply to the member; false by default.
        default conveys "conveysAuthorization": bool as bool = read::boolean,
    }
}

/// Add a resource to a collection
///
/// Any resource can be a collection, and a resource can be in many. Adding it again changes whether
/// the membership conveys.
#[utoipa::path(
    put,
    path = "/api/v1/resources/{urn}/members/{memberUrn}",
    tag = "Resources",
    security(("program" = ["things"])),
    params(
        ("urn" = String, Path, description = "The collection, percent-encoded"),
        ("memberUrn" = String, Path, description = "The member, percent-encoded"),
    ),
    request_body = Option<NewMembership>,
    responses(
        (status = 200, body = RelationshipDto, description = "It was in it already"),
        (status = 201, body = RelationshipDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `SELF_LINK`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`COLLECTION_NOT_FOUND`, `MEMBER_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn add_collection_member(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathMembership { collection, member }: PathMembership,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let NewMembership { conveys } = Fields::parse_optional(&body)?.into_body()?;
    let link = CollectionMemberRelationship::new(collection, member, conveys);
    let link = link.map_err(AppError::from)?;
    let is_new = api.app.add_to_collection(&caller, &link).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json::of(&RelationshipDto::of(&link))))
}
