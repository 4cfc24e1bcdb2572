//! Barcodes of products.

use larder_domain::{Gtin, ItemDetails, Product, ProductDetails, ProductId};
use larder_storage::{AddedItem, IdempotencyClaim, StockedProduct};

use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// The product with this barcode, with its lots.
    pub async fn product_by_barcode(
        &self,
        caller: &Caller,
        code: &Gtin,
    ) -> Result<Option<StockedProduct>> {
        let scope = authorize::inventory(caller);
        match self.storage.find_product_by_barcode(scope, code).await? {
            Some(product) => Ok(self.storage.find_product(scope, product.id).await?),
            None => Ok(None),
        }
    }

    /// Adds a barcode to a product, whatever else of it changes at the same time.
    pub async fn remember_barcode(
        &self,
        caller: &Caller,
        id: ProductId,
        code: Gtin,
    ) -> Result<Product> {
        let remembered = |details: &ProductDetails| {
            let barcodes = details.barcodes.with([code]);
            let barcodes = barcodes.map_err(|_| AppError::TooManyBarcodes)?;
            Ok(ProductDetails { barcodes, ..details.clone() })
        };
        self.amend_product(caller, id, remembered).await
    }

    /// Adds an item as [`App::add_item`] does, and gives its product this barcode if no other
    /// product has it.
    pub async fn add_item_with_barcode(
        &self,
        caller: &Caller,
        details: ItemDetails,
        code: Gtin,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<AddedItem> {
        let added = self.add_item(caller, details, claim).await?;
        let Some(product) = added.item.product else { return Ok(added) };
        match self.remember_barcode(caller, product, code).await {
            // The item is in stock, which counts; whoever scans the code again is asked again.
            Ok(_)
            | Err(
                AppError::BarcodeTaken(_)
                | AppError::TooManyBarcodes
                | AppError::ProductNotFound
                | AppError::ProductVersionConflict(_),
            ) => Ok(added),
            Err(error) => Err(error),
        }
    }

    /// The error of a barcode that another product has.
    pub(crate) async fn barcode_taken(&self, caller: &Caller, product: Product) -> AppError {
        match self.product(caller, product.id).await {
            Ok(existing) => AppError::BarcodeTaken(Box::new(existing)),
            // It is gone meanwhile; its last state is what stood in the way.
            Err(AppError::ProductNotFound) => {
                AppError::BarcodeTaken(Box::new(StockedProduct { product, lots: Vec::new() }))
            }
            Err(error) => error,
        }
    }
}
