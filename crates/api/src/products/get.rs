//! `GET /products/{id}`.

use larder_domain::ProductId;
use larder_http::{Json, ProblemDocument};

use super::dto::ProductDto;
use crate::{ApiError, ApiState, InInventory, PathId, need::ReadStock};

/// Read a product
#[utoipa::path(
    get,
    path = "/api/v1/products/{id}",
    tag = "Products",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = ProductDto),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_product(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    PathId(id): PathId<ProductId>,
) -> Result<Json, ApiError> {
    let stocked = api.app.product(&caller, id).await?;
    Ok(Json::of(&ProductDto::of(&stocked)))
}
