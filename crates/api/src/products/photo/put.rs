//! `PUT /products/{id}/photo`.

use larder_domain::ProductId;
use larder_http::{Json, MediaBody, ProblemDocument};

use crate::{
    ApiError, ApiState, InInventory, PathId,
    need::ChangeStock,
    photo::{PhotoSchema, Picture},
    products::dto::ProductDto,
};

/// Give a product a photo
///
/// It is turned upright, scaled to at most 512 pixels and stripped of everything but its pixels. The
/// one before can be brought back for thirty days by undoing.
#[utoipa::path(
    put,
    path = "/api/v1/products/{id}/photo",
    tag = "Products",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    request_body(
        content(
            (PhotoSchema = "image/jpeg"), (PhotoSchema = "image/png"), (PhotoSchema = "image/webp"),
        ),
        description = "At most 12 MiB and 25 megapixels",
    ),
    responses(
        (status = 200, body = ProductDto),
        (status = 403, body = ProblemDocument, description = "`QUOTA_EXCEEDED` with `limit`: the inventory has too many photos"),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours"),
        (status = 413, body = ProblemDocument, description = "`BODY_TOO_LARGE`"),
        (status = 415, body = ProblemDocument, description = "`UNSUPPORTED_MEDIA_TYPE`, `UNSUPPORTED_ENCODING`"),
        (status = 422, body = ProblemDocument, description = "`IMAGE_REFUSED`: damaged, too many pixels, or not what it claims to be"),
    ),
)]
pub(super) async fn put_photo(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ProductId>,
    picture: MediaBody<Picture>,
) -> Result<Json, ApiError> {
    api.app.set_photo(&caller, id, picture.bytes).await?;
    let stocked = api.app.product(&caller, id).await?;
    Ok(Json::of(&ProductDto::of(&stocked)))
}
