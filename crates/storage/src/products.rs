//! Products, and their lots together.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Consumed, Gtin, Item, ItemFilter, ItemName, ItemPosition, ItemSort, LowProducts, PhotoId,
    Product, ProductDetails, ProductFilter, ProductId, ProductPosition, ProductSort, Quantity,
    Unit, UserId, Versions,
};

use crate::{Page, Result, Scope, SystemScope, Write};

/// The most lots of one product. Each is of another date.
pub const MAX_LOTS: usize = 1000;

/// A product with its lots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockedProduct {
    /// The product.
    pub product: Product,
    /// Its lots, also depleted ones, the first to expire first.
    pub lots: Vec<Item>,
}

/// A product in the list of stock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockRow {
    /// The product.
    pub product: ProductId,
    /// The unit of its sum.
    pub unit: Unit,
    /// Its photo.
    pub photo: Option<PhotoId>,
    /// Those of its lots that match, at least one, the first to expire first.
    pub lots: Vec<Item>,
}

/// The result of changing a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceProduct {
    /// This is it now.
    Replaced(Product),
    /// It has become one with the product of its new name, which is this now.
    Joined(Product),
    /// There is no such product.
    NotFound,
    /// It has changed since; this is the current one.
    VersionConflict(Product),
    /// This other product has the name.
    Duplicate(Product),
    /// A lot of the other product has the same date as one of this product's, and a unit that does
    /// not convert.
    UnitMismatch(Item),
    /// Together with a lot of this product it is too much.
    Overflow(Item),
    /// There is no such storage location.
    LocationNotFound,
    /// There is no such shop.
    StoreNotFound,
    /// There is no such photo.
    PhotoNotFound,
    /// This other product has one of the barcodes.
    BarcodeTaken(Product),
    /// More barcodes than one product can have, or than one transaction of the engine can change.
    TooManyBarcodes,
}

/// The result of deleting a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteProduct {
    /// It is gone.
    Deleted,
    /// There is no such product.
    NotFound,
    /// It has this many lots.
    HasLots(u64),
}

/// The result of taking from the lots of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consume {
    /// Taken. If less than requested was there, the rest is missing.
    Done {
        /// What was taken.
        consumed: Consumed,
        /// The lots that it was taken from, as they are now.
        items: Vec<Item>,
    },
    /// There is no such product.
    NotFound,
    /// No lot has a unit that converts into the requested one.
    UnitMismatch,
    /// A lot's unit cannot show what would be left of it.
    NotExact,
    /// It would take more lots than one transaction can change.
    TooManyLots,
}

/// One entry of a product's audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductChange {
    /// Its number.
    pub sequence: u64,
    /// The time.
    pub at: Timestamp,
    /// The user; `None` for the system.
    pub by: Option<UserId>,
    /// Before and after.
    pub versions: Versions<Product>,
}

/// Products of one inventory. They are made and followed by writes of items: see [`crate::Inventory`].
#[async_trait]
pub trait Products: Send + Sync {
    /// The product with its lots, as the last acknowledged write left them.
    async fn find_product(&self, scope: Scope, id: ProductId) -> Result<Option<StockedProduct>>;

    /// The product of this name, ignoring case and width.
    async fn find_product_named(&self, scope: Scope, name: &ItemName) -> Result<Option<Product>>;

    /// The product with this barcode, as the last acknowledged write left it.
    async fn find_product_by_barcode(&self, scope: Scope, code: &Gtin) -> Result<Option<Product>>;

    /// A page of products, also of those without lots.
    async fn list_products(
        &self,
        scope: Scope,
        filter: &ProductFilter,
        sort: ProductSort,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ProductPosition>>;

    /// A page of products with lots, each with the lots that match on this day. A product stands where the first
    /// of these would stand in the list of items. May lag behind writes where the engine's indexes
    /// do.
    async fn list_lots(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockRow, ItemPosition>>;

    /// The products whose lots together are below their threshold. May lag behind writes where the
    /// engine's indexes do.
    async fn low_products(&self, scope: Scope) -> Result<LowProducts>;

    /// Whether all lots of a product together are below its threshold, as the last acknowledged
    /// write left them.
    async fn is_low(&self, scope: SystemScope, id: ProductId) -> Result<bool>;

    /// Replaces what is known of a product if it still has this version, also in its lots. With
    /// `join`, a name that another product has makes the two one: the other remains, with all lots and the
    /// barcodes of both; of the details, only the name counts then.
    async fn replace_product(
        &self,
        scope: Scope,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        write: Write<'_>,
    ) -> Result<ReplaceProduct>;

    /// Deletes a product without lots.
    async fn delete_product(
        &self,
        scope: Scope,
        id: ProductId,
        write: Write<'_>,
    ) -> Result<DeleteProduct>;

    /// Takes from the lot that expires first, then from the next, in one atomic step. Lots whose
    /// unit does not convert are left alone. Without a unit, in the product's own.
    async fn consume(
        &self,
        scope: Scope,
        id: ProductId,
        quantity: Quantity,
        unit: Option<&Unit>,
        write: Write<'_>,
    ) -> Result<Consume>;

    /// The audit trail of a product before this entry (`None`: from the newest), newest first. It
    /// outlives the product. May lag behind writes where the engine's indexes do.
    async fn product_history(
        &self,
        scope: Scope,
        id: ProductId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ProductChange, u64>>;
}
