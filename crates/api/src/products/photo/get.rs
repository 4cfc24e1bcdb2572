//! `GET /products/{id}/photo` and `GET /products/{id}/photo/thumbnail`, which differ in the size.

use axum::response::Response;
use larder_app::Caller;
use larder_domain::ProductId;
use larder_http::{Params, ProblemDocument};
use larder_storage::PhotoSize;

use crate::{ApiError, ApiState, InInventory, PathId, need::ReadStock, photo};

async fn answer(
    api: &ApiState,
    caller: &Caller,
    id: ProductId,
    params: Params,
    size: PhotoSize,
) -> Result<Response, ApiError> {
    let address = photo::address(params)?;
    let found = api.app.photo(caller, id, address, size).await?;
    Ok(photo::answer(found, address, size))
}

/// Read the photo of a product
///
/// A JPEG of at most 512 pixels. With `v`, as in `photoUrl`, the answer never changes.
#[utoipa::path(
    get,
    path = "/api/v1/products/{id}/photo",
    tag = "Products",
    security(("program" = ["read"]), ("program" = ["stock"])),
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
    InInventory(caller, ..): InInventory<ReadStock>,
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
    security(("program" = ["read"]), ("program" = ["stock"])),
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
    InInventory(caller, ..): InInventory<ReadStock>,
    PathId(id): PathId<ProductId>,
    params: Params,
) -> Result<Response, ApiError> {
    answer(&api, &caller, id, params, PhotoSize::Thumbnail).await
}
