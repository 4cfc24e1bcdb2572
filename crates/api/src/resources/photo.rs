//! `PUT · GET · DELETE /resources/{urn}/photo`, and `GET …/photo/thumbnail`: the photo of a resource.

use axum::{http::StatusCode, response::Response};
use larder_app::Caller;
use larder_domain::Urn;
use larder_http::{Json, MediaBody, Params, ProblemDocument};
use larder_storage::PhotoSize;
use serde::Serialize;
use utoipa::ToSchema;

use super::PathUrn;
use crate::{
    ApiError, ApiState, Authenticated,
    need::{ChangeThings, ReadThings},
    photo::{self, PhotoSchema, Picture},
};

/// Where the photo of a resource is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ResourcePhoto {
    /// Changes with the photo, and may be cached for ever.
    photo_url: String,
}

/// Give a resource a photo
///
/// One that you may write. The picture is turned upright, scaled to at most 512 pixels and stripped
/// of everything but its pixels. The photo before is gone, and the resource's version stays: a photo
/// is not part of it, and resources do not name theirs.
#[utoipa::path(
    put,
    path = "/api/v1/resources/{urn}/photo",
    tag = "Resources",
    security(("program" = ["things"])),
    params(PathUrn),
    request_body(
        content(
            (PhotoSchema = "image/jpeg"), (PhotoSchema = "image/png"), (PhotoSchema = "image/webp"),
        ),
        description = "At most 12 MiB and 25 megapixels",
    ),
    responses(
        (status = 200, body = ResourcePhoto),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours to write"),
        (status = 413, body = ProblemDocument, description = "`BODY_TOO_LARGE`"),
        (status = 415, body = ProblemDocument, description = "`UNSUPPORTED_MEDIA_TYPE`, `UNSUPPORTED_ENCODING`"),
        (status = 422, body = ProblemDocument, description = "`IMAGE_REFUSED`: damaged, too many pixels, or not what it claims to be"),
    ),
)]
pub(super) async fn put_resource_photo(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathUrn(urn): PathUrn,
    picture: MediaBody<Picture>,
) -> Result<Json, ApiError> {
    let photo = api.app.set_resource_photo(&caller, &urn, picture.bytes).await?;
    let photo_url = format!("/api/v1/resources/{urn}/photo?v={photo}");
    Ok(Json::of(&ResourcePhoto { photo_url }))
}

async fn answer(
    api: &ApiState,
    caller: &Caller,
    urn: &Urn,
    params: Params,
    size: PhotoSize,
) -> Result<Response, ApiError> {
    let address = photo::address(params)?;
    let found = api.app.resource_photo(caller, urn, address, size).await?;
    Ok(photo::answer(found, address, size))
}

/// Read the photo of a resource
///
/// A JPEG of at most 512 pixels. With `v`, as in `photoUrl`, the answer never changes.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/photo",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        PathUrn,
        ("v" = Option<String>, Query, description = "The content address of the photo; absent: the current one"),
    ),
    responses(
        (status = 200, body = Vec<u8>, content_type = "image/jpeg"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours; `PHOTO_NOT_FOUND`"),
    ),
)]
pub(super) async fn get_resource_photo(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
    params: Params,
) -> Result<Response, ApiError> {
    answer(&api, &caller, &urn, params, PhotoSize::Full).await
}

/// Read the thumbnail of a resource
///
/// A JPEG of at most 96 pixels, otherwise like the photo.
#[utoipa::path(
    get,
    path = "/api/v1/resources/{urn}/photo/thumbnail",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        PathUrn,
        ("v" = Option<String>, Query, description = "The content address of the photo; absent: the current one"),
    ),
    responses(
        (status = 200, body = Vec<u8>, content_type = "image/jpeg"),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours; `PHOTO_NOT_FOUND`"),
    ),
)]
pub(super) async fn get_resource_thumbnail(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathUrn(urn): PathUrn,
    params: Params,
) -> Result<Response, ApiError> {
    answer(&api, &caller, &urn, params, PhotoSize::Thumbnail).await
}

/// Remove the photo of a resource
///
/// One that you may write.
#[utoipa::path(
    delete,
    path = "/api/v1/resources/{urn}/photo",
    tag = "Resources",
    security(("program" = ["things"])),
    params(PathUrn),
    responses(
        (status = 204),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`: not there, or not yours to write; `PHOTO_NOT_FOUND`"),
    ),
)]
pub(super) async fn delete_resource_photo(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathUrn(urn): PathUrn,
) -> Result<StatusCode, ApiError> {
    api.app.remove_resource_photo(&caller, &urn).await?;
    Ok(StatusCode::NO_CONTENT)
}
