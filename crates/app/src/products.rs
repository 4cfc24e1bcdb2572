//! Products: what a family knows of a name, and its lots together.

mod consumption;
mod timeline;

pub use consumption::Consumption;
pub use timeline::{Timeline, TimelineEntry};

use larder_domain::{
    Consumed, Gtin, Item, ItemFilter, ItemName, ItemPosition, ItemSort, Product, ProductDetails,
    ProductFilter, ProductId, ProductPatch, ProductPosition, ProductSort, Quantity, Unit,
};
use larder_storage::{
    Consume, DeleteProduct, IdempotencyClaim, Page, ProductChange, ReplaceProduct, StockRow,
    StockedProduct, Write,
};

use crate::{
    App, AppError, Caller, Result, authorize, inventory::check_category, settling::Affected,
};

/// How often a product is amended that others change at the same time.
const AMEND_ATTEMPTS: usize = 8;

/// How a product is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductChoice {
    /// By its id.
    Id(ProductId),
    /// By its name, as people read it.
    Name(ItemName),
    /// By one of its barcodes.
    Barcode(Gtin),
}

impl App {
    /// The product with its lots.
    pub async fn product(&self, caller: &Caller, id: ProductId) -> Result<StockedProduct> {
        let found = self.storage.find_product(authorize::inventory(caller), id).await?;
        found.ok_or(AppError::ProductNotFound)
    }

    /// A page of products, with their lots.
    pub async fn list_products(
        &self,
        caller: &Caller,
        filter: &ProductFilter,
        sort: ProductSort,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ProductPosition>> {
        let scope = authorize::inventory(caller);
        Ok(self.storage.list_products(scope, filter, sort, after, limit).await?)
    }

    /// A page of products that are in stock, with their lots.
    pub async fn list_lots(
        &self,
        caller: &Caller,
        filter: &ItemFilter,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockRow, ItemPosition>> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        Ok(self.storage.list_lots(scope, filter, today, sort, after, limit).await?)
    }

    /// These products as they are in the list of stock; those of which no lot matches are left out.
    pub async fn stock_rows(
        &self,
        caller: &Caller,
        ids: &[ProductId],
        filter: &ItemFilter,
    ) -> Result<Vec<StockRow>> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        let mut rows = Vec::new();
        for id in ids {
            let Some(found) = self.storage.find_product(scope, *id).await? else { continue };
            let StockedProduct { product, mut lots } = found;
            lots.retain(|lot| filter.matches(lot, today));
            if !lots.is_empty() {
                let ProductDetails { unit, photo, .. } = product.details;
                rows.push(StockRow { product: product.id, unit, photo, lots });
            }
        }
        Ok(rows)
    }

    /// Changes what is known of a product that still has this version, and its lots with it. With
    /// `join`, the name of another product makes the two one, which is returned.
    pub async fn update_product(
        &self,
        caller: &Caller,
        id: ProductId,
        version: u64,
        patch: ProductPatch,
        join: bool,
    ) -> Result<StockedProduct> {
        patch.category.map_or(Ok(()), check_category)?;
        let current = self.product(caller, id).await?;
        if current.product.version != version {
            return Err(AppError::ProductVersionConflict(Box::new(current)));
        }
        let (scope, at) = (authorize::inventory(caller), self.now());
        let details = patch.apply(&current.product.details);
        let StockedProduct { product: joined, lots } = current;
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                let write = Write::at(at);
                storage.replace_product(scope, id, version, &details, join, write).await
            },
            move |outcome| match outcome {
                ReplaceProduct::Replaced(product) => Affected::by_product(product, &lots),
                ReplaceProduct::Joined(product) => {
                    [Affected::by_product(product, &lots), Affected::by_product(&joined, &[])]
                        .concat()
                }
                _ => Vec::new(),
            },
        );
        let conflicting = |item| self.conflicting(caller, item);
        match outcome.await? {
            ReplaceProduct::Replaced(product) | ReplaceProduct::Joined(product) => {
                self.product(caller, product.id).await
            }
            ReplaceProduct::NotFound => Err(AppError::ProductNotFound),
            ReplaceProduct::VersionConflict(product) => {
                let current = self.product(caller, product.id).await?;
                Err(AppError::ProductVersionConflict(Box::new(current)))
            }
            ReplaceProduct::Duplicate(product) => {
                let existing = self.product(caller, product.id).await?;
                Err(AppError::DuplicateProduct(Box::new(existing)))
            }
            ReplaceProduct::UnitMismatch(item) => Err(AppError::UnitMismatch(conflicting(item))),
            ReplaceProduct::Overflow(item) => {
                Err(AppError::QuantityOverflow(Some(conflicting(item))))
            }
            ReplaceProduct::LocationNotFound => Err(AppError::UnknownLocation),
            ReplaceProduct::StoreNotFound => Err(AppError::UnknownPreferredStore),
            ReplaceProduct::PhotoNotFound => Err(AppError::PhotoNotFound),
            ReplaceProduct::BarcodeTaken(product) => Err(self.barcode_taken(caller, product).await),
            ReplaceProduct::TooManyBarcodes => Err(AppError::TooManyBarcodes),
        }
    }

    /// Makes a product remember where a lot of it was put, what it is, and how long it keeps. Does
    /// nothing for a lot whose product is gone.
    pub async fn remember_lot(&self, caller: &Caller, lot: &Item) -> Result<()> {
        let Some(id) = lot.product else { return Ok(()) };
        let patch = ProductPatch::of_lot(&lot.details, caller.today(self.now()));
        match self.amend_product(caller, id, |known| Ok(patch.clone().apply(known))).await {
            Ok(_) | Err(AppError::ProductNotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Changes what is known of a product and does not affect how its stock is judged, whatever else
    /// of it changes at the same time.
    pub(crate) async fn amend_product(
        &self,
        caller: &Caller,
        id: ProductId,
        amend: impl Fn(&ProductDetails) -> Result<ProductDetails>,
    ) -> Result<Product> {
        let scope = authorize::inventory(caller);
        let mut current = self.product(caller, id).await?;
        for _ in 0..AMEND_ATTEMPTS {
            let details = amend(&current.product.details)?;
            if details == current.product.details {
                return Ok(current.product);
            }
            let (version, write) = (current.product.version, Write::at(self.now()));
            let outcome =
                self.storage.replace_product(scope, id, version, &details, false, write).await?;
            current = match outcome {
                ReplaceProduct::Replaced(product) => return Ok(product),
                ReplaceProduct::PhotoNotFound => return Err(AppError::PhotoNotFound),
                ReplaceProduct::BarcodeTaken(other) => {
                    return Err(self.barcode_taken(caller, other).await);
                }
                ReplaceProduct::TooManyBarcodes => return Err(AppError::TooManyBarcodes),
                // It has changed, or is gone: then this says so.
                _ => self.product(caller, id).await?,
            };
        }
        Err(AppError::ProductVersionConflict(Box::new(current)))
    }

    /// Deletes a product without lots.
    pub async fn delete_product(&self, caller: &Caller, id: ProductId) -> Result<()> {
        let (scope, write) = (authorize::inventory(caller), Write::at(self.now()));
        match self.storage.delete_product(scope, id, write).await? {
            DeleteProduct::Deleted => Ok(()),
            DeleteProduct::NotFound => Err(AppError::ProductNotFound),
            DeleteProduct::HasLots(count) => Err(AppError::ProductHasLots(count)),
        }
    }

    /// Takes from the lot of a product that expires first, then from the next. Without a unit, in
    /// the product's own.
    pub async fn consume(
        &self,
        caller: &Caller,
        choice: &ProductChoice,
        quantity: Quantity,
        unit: Option<Unit>,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Consumed> {
        let id = self.chosen_product(caller, choice).await?;
        let (scope, at, claim) = (authorize::inventory(caller), self.now(), claim.cloned());
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                let write = Write { at, claim: claim.as_ref() };
                storage.consume(scope, id, quantity, unit.as_ref(), write).await
            },
            |outcome| match outcome {
                Consume::Done { consumed, items } => {
                    let taken = items.iter().zip(&consumed.taken.0);
                    let mut affected = Vec::new();
                    for (item, taken) in taken {
                        for topic in Affected::by_amount(item, taken.applied_hundredths) {
                            if !affected.contains(&topic) {
                                affected.push(topic);
                            }
                        }
                    }
                    affected
                }
                _ => Vec::new(),
            },
        );
        match outcome.await? {
            Consume::Done { consumed, .. } => Ok(consumed),
            Consume::NotFound => Err(AppError::ProductNotFound),
            Consume::UnitMismatch => Err(AppError::LotsUnitMismatch),
            Consume::NotExact => Err(AppError::LotsNotExact),
            Consume::TooManyLots => Err(AppError::TooManyLotsAtOnce),
        }
    }

    async fn chosen_product(&self, caller: &Caller, choice: &ProductChoice) -> Result<ProductId> {
        match choice {
            ProductChoice::Id(id) => Ok(*id),
            ProductChoice::Name(name) => {
                let scope = authorize::inventory(caller);
                let found = self.storage.find_product_named(scope, name).await?;
                found.map(|product| product.id).ok_or(AppError::ProductNotFound)
            }
            ProductChoice::Barcode(code) => {
                let scope = authorize::inventory(caller);
                let found = self.storage.find_product_by_barcode(scope, code).await?;
                found.map(|product| product.id).ok_or(AppError::BarcodeNotFound)
            }
        }
    }

    /// The product of this name, as people read it.
    pub async fn product_named(&self, caller: &Caller, name: &ItemName) -> Result<Option<Product>> {
        Ok(self.storage.find_product_named(authorize::inventory(caller), name).await?)
    }

    /// A page of a product's history before this entry, newest first.
    pub async fn product_history(
        &self,
        caller: &Caller,
        id: ProductId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ProductChange, u64>> {
        let scope = authorize::inventory(caller);
        let page = self.storage.product_history(scope, id, before, limit).await?;
        if page.items.is_empty() && before.is_none() {
            self.product(caller, id).await?;
        }
        Ok(page)
    }
}
