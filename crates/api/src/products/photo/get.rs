//! `GET /products/{id}/photo` and `GET /products/{id}/photo/thumbnail`, which differ in the size.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use larder_app::{AppError, Caller, FoundPhoto};
use larder_domain::{PhotoId, ProductId};
use larder_http::{Params, ProblemDocument};
use larder_storage::PhotoSize;

use crate::{ApiError, ApiState, Authenticated, PathId};

/// What a content address names never changes.
const FOR_EVER: &str = "private, max-age=31536000, immutable";
/// What a product shows may.
const REVALIDATED: &str = "private, no-cache";

async fn answer(
    api: &ApiState,
    caller: &Caller,
    id: ProductId,
    mut params: Params,
    size: PhotoSize,
) -> Result<Response, ApiError> {
    let address = params.text("v");
    let address = params.finish(|| Some(address))?;
    // A malformed address is one that no photo has.
    let address = address.map(|text| PhotoId::parse(&text)).transpose();
    let address = address.map_err(|_| AppError::PhotoNotFound)?;
    let FoundPhoto { id: photo, jpeg } = api.app.photo(caller, id, address, size).await?;
    let tag = match size {
        PhotoSize::Full => format!("\"{photo}\""),
        PhotoSize::Thumbnail => format!("\"{photo}-thumbnail\""),
    };
    let caching = if address.is_some() { FOR_EVER } else { REVALIDATED };
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; sandbox"),
    ];
    Ok((headers, jpeg).into_response())
}

/// Read the photo of a product
///
/// A JPEG of at most 512 pixels. With `v`, as in `photoUrl`, the answer never changes.
#[utoipa::path(
    get,
    path = "/api/v1/products/{id}/photo",
    tag = "Products",
    params(
        ("id" = String, Path, format = "uuid"),
        ("v" = Option<String>, Query, description = "The content address of the photo; absent: the current one"),
    ),
    responses(
        (status = 200, body = Vec<u8>, content_type = "image/jpeg"),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours; `PHOTO_NOT_FOUND`"),
    ),
)]
pub(super) async fn get_photo(
    api: ApiState,
    Authenticated(caller): Authenticated,
    PathId(id): PathId<ProductId>,
    params: Params,
) -> Result<Response, ApiError> {
    answer(&api, &caller, id, params, PhotoSize::Full).await
}

/// Read the thumbnail of a product
///
/// A JPEG of at most 96 pixels, otherwise like the photo.
#[utoipa::path(
    get,
    path = "/api/v1/products/{id}/photo/thumbnail",
    tag = "Products",
    params(
        ("id" = String, Path, format = "uuid"),
        ("v" = Option<String>, Query, description = "The content address of the photo; absent: the current one"),
    ),
    responses(
        (status = 200, body = Vec<u8>, content_type = "image/jpeg"),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours; `PHOTO_NOT_FOUND`"),
    ),
)]
pub(super) async fn get_thumbnail(
    api: ApiState,
    Authenticated(caller): Authenticated,
    PathId(id): PathId<ProductId>,
    params: Params,
) -> Result<Response, ApiError> {
    answer(&api, &caller, id, params, PhotoSize::Thumbnail).await
}
