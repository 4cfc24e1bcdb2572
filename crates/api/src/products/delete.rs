//! `DELETE /products/{id}`.

use axum::http::StatusCode;
use larder_domain::ProductId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, InInventory, PathId, need::ChangeStock};

/// Delete a product
///
/// Only one without lots.
#[utoipa::path(
    delete,
    path = "/api/v1/products/{id}",
    tag = "Products",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Gone"),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`PRODUCT_HAS_LOTS`"),
    ),
)]
pub(super) async fn delete_product(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ProductId>,
) -> Result<StatusCode, ApiError> {
    api.app.delete_product(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
