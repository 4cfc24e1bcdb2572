//! `DELETE /products/{id}/photo`.

use axum::http::StatusCode;
use larder_domain::ProductId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, InInventory, PathId, need::ChangeStock};

/// Remove the photo of a product
///
/// It can be brought back for thirty days by undoing.
#[utoipa::path(
    delete,
    path = "/api/v1/products/{id}/photo",
    tag = "Products",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours; `PHOTO_NOT_FOUND`"),
    ),
)]
pub(super) async fn delete_photo(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ProductId>,
) -> Result<StatusCode, ApiError> {
    api.app.remove_photo(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
