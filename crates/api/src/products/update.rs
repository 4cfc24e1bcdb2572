//! `PATCH /products/{id}`: change a product and its lots, unless it was changed concurrently.

use larder_domain::ProductId;
use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::{ProductChanges, ProductDto};
use crate::{ApiError, ApiState, InInventory, PathId, need::ChangeStock};

/// Change a product
///
/// A new name is that of all its lots and their tags.
#[utoipa::path(
    patch,
    path = "/api/v1/products/{id}",
    tag = "Products",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    request_body = ProductChanges,
    responses(
        (status = 200, body = ProductDto, description = "The product now; after a merge, the other one"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`PRODUCT_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`; `DUPLICATE_PRODUCT`, `BARCODE_TAKEN`, `UNIT_MISMATCH` with `existing`"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`, `TOO_MANY_BARCODES`"),
    ),
)]
pub(super) async fn update_product(
    api: ApiState,
    InInventory(caller, ..): InInventory<ChangeStock>,
    PathId(id): PathId<ProductId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let changes: ProductChanges = Fields::parse(&body)?.into_body()?;
    let (version, merge) = (changes.version, changes.merge);
    let stocked = api.app.update_product(&caller, id, version, changes.into(), merge).await?;
    Ok(Json::of(&ProductDto::of(&stocked)))
}
