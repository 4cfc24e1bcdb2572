//! `GET /products/by-barcode/{gtin}`: what a scanned code is on.

use axum::extract::Path;
use larder_app::{AppError, CatalogEntry};
use larder_domain::Gtin;
use larder_http::{Json, Problem, ProblemDocument};
use serde::Serialize;

use super::dto::ProductDto;
use crate::{ApiError, ApiState, InInventory, need::ReadStock};

/// Find a product by its barcode
#[utoipa::path(
    get,
    path = "/api/v1/products/by-barcode/{gtin}",
    tag = "Products",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(("gtin" = String, Path, description = "EAN-8, UPC-A, EAN-13 or GTIN-14, with its check digit")),
    responses(
        (status = 200, body = ProductDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`: not a barcode, or a wrong check digit"),
        (status = 404, body = ProblemDocument, description = "`BARCODE_NOT_FOUND`: no product of yours has it; with `suggestion: {name, brand?, quantity?}` if a catalog knows it"),
    ),
)]
pub(super) async fn get_product_by_barcode(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadStock>,
    Path(text): Path<String>,
) -> Result<Json, ApiError> {
    let code = Gtin::parse(&text).map_err(|error| {
        Problem::bad_request("INVALID_FIELDS", "Validation failed")
            .field_error("gtin", error.to_string())
    })?;
    if let Some(stocked) = api.app.product_by_barcode(&caller, &code).await? {
        return Ok(Json::of(&ProductDto::of(&stocked)));
    }
    let unknown = ApiError::from(AppError::BarcodeNotFound);
    Err(match api.app.suggest_for_barcode(code).await {
        Some(entry) => unknown.suggestion(&SuggestionDto::of(&entry)),
        None => unknown,
    })
}

/// What a catalog says of a barcode that is on no product yet.
#[derive(Serialize)]
struct SuggestionDto<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<&'a str>,
}

impl<'a> SuggestionDto<'a> {
    fn of(entry: &'a CatalogEntry) -> Self {
        let (brand, quantity) = (entry.brand(), entry.quantity());
        Self { name: entry.name().as_str(), brand, quantity }
    }
}
