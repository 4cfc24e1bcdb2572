//! Products as the API shows and reads them: every body with the fields of a product is in this
//! file.

use larder_domain::{
    Barcodes, CategoryId, Gtin, HouseholdId, Item, ItemName, Notes, Owner, PhotoId, Product,
    ProductId, ProductPatch, Quantity, ShelfLife, StockSum, StorageLocationId, StoreId, TagStep,
    Unit, UserId, UsualStep,
};
use larder_http::{Hundredths, read, request_body};
use larder_storage::StockedProduct;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::values::Time;

/// The address at which a photo of a product is, for ever.
pub(crate) fn photo_url(product: ProductId, photo: PhotoId) -> String {
    format!("/api/v1/products/{product}/photo?v={photo}")
}

/// A sum of lots.
#[derive(Serialize, ToSchema)]
pub(crate) struct Total<'a> {
    /// Rounded down to two decimals.
    #[schema(value_type = f64, minimum = 0, maximum = 99_999_999.99)]
    quantity: Hundredths,
    unit: &'a str,
}

impl<'a> Total<'a> {
    /// The sum in a unit; `None` if a lot does not convert.
    pub(crate) fn of(unit: &'a Unit, lots: &[Item]) -> Option<Self> {
        let sum = StockSum::of(unit, lots.iter().map(|lot| &lot.details))?;
        Some(Self { quantity: sum.quantity().into(), unit: unit.as_str() })
    }
}

/// What is known of a name.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub(crate) struct ProductDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: ProductId,
    /// The household; null for a user's own product.
    #[schema(value_type = Option<String>, format = "uuid")]
    household_id: Option<HouseholdId>,
    #[schema(max_length = 200)]
    name: &'a str,
    /// The unit of the sum, the threshold and the desired quantity.
    #[schema(max_length = 20)]
    unit: &'a str,
    #[schema(value_type = String, format = "uuid")]
    category_id: CategoryId,
    /// Where it is usually kept.
    #[schema(value_type = Option<String>, format = "uuid")]
    storage_location_id: Option<StorageLocationId>,
    #[schema(value_type = Option<String>, format = "uuid")]
    preferred_store_id: Option<StoreId>,
    /// How much a tap on a new tag takes or puts back.
    #[schema(value_type = Option<f64>)]
    step: Option<Hundredths>,
    #[schema(minimum = 1, maximum = 36_500)]
    shelf_life_days: Option<u16>,
    #[schema(minimum = 1, maximum = 36_500)]
    opened_shelf_life_days: Option<u16>,
    /// The sum is low below this.
    #[schema(value_type = Option<f64>)]
    low_stock_threshold: Option<Hundredths>,
    /// The quantity to have after shopping.
    #[schema(value_type = Option<f64>)]
    desired_quantity: Option<Hundredths>,
    /// GTINs as they were written; no other product of the inventory has one of them.
    #[schema(max_items = 20)]
    barcodes: Vec<&'a str>,
    /// The content address of its photo, relative to the server; null without one. Add `/thumbnail`
    /// before the `?` for the small one.
    photo_url: Option<String>,
    notes: Option<&'a str>,
    /// Whether it may go on the shopping list by itself.
    auto_list: bool,
    /// The sum of its lots; null if their units do not convert into its own.
    total: Option<Total<'a>>,
    /// How many lots it has, used up ones included.
    lots: usize,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
    #[schema(value_type = String, format = "uuid")]
    updated_by: UserId,
    /// The number of changes. Send it with a PATCH.
    version: u64,
}

impl<'a> ProductDto<'a> {
    pub(crate) fn of(stocked: &'a StockedProduct) -> Self {
        Self::with_lots(&stocked.product, &stocked.lots)
    }

    /// A product with these lots.
    pub(crate) fn with_lots(product: &'a Product, lots: &[Item]) -> Self {
        let details = &product.details;
        Self {
            id: product.id,
            household_id: match product.owner {
                Owner::Household(household) => Some(household),
                Owner::User(_) => None,
            },
            name: details.name.as_str(),
            unit: details.unit.as_str(),
            category_id: details.category,
            storage_location_id: details.location,
            preferred_store_id: details.preferred_store,
            step: details.step.map(|UsualStep(step)| Hundredths(step.hundredths())),
            shelf_life_days: details.shelf_life.map(ShelfLife::days),
            opened_shelf_life_days: details.opened_shelf_life.map(ShelfLife::days),
            low_stock_threshold: details.low_stock_threshold.map(Into::into),
            desired_quantity: details.desired_quantity.map(Into::into),
            barcodes: details.barcodes.iter().map(Gtin::as_str).collect(),
            photo_url: details.photo.map(|photo| photo_url(product.id, photo)),
            notes: details.notes.as_ref().map(Notes::as_str),
            auto_list: details.auto_list,
            total: Total::of(&details.unit, lots),
            lots: lots.len(),
            created_at: Time(product.created_at),
            updated_at: Time(product.updated_at),
            updated_by: product.updated_by,
            version: product.version,
        }
    }
}

/// A page of products.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProductPage)]
pub(super) struct ProductPage<'a> {
    pub(super) items: Vec<ProductDto<'a>>,
    /// The cursor of the next page; null on the last page.
    pub(super) next_cursor: Option<String>,
}

request_body! {
    /// The changes. Absent fields are unchanged; null clears a field, if it is optional.
    pub(super) struct ProductChanges {
        /// The version that the change is based on.
        #[schema(minimum = 1)]
        required version: u64 as u64 = read::integer,
        /// Renames all lots and their tags.
        #[schema(min_length = 1, max_length = 200)]
        change name: ItemName as String = read::text(ItemName::parse),
        #[schema(min_length = 1, max_length = 20)]
        change unit: Unit as String = read::text(Unit::parse),
        #[schema(format = "uuid")]
        change category "categoryId": CategoryId as String = read::text(str::parse),
        #[schema(format = "uuid")]
        patch location "storageLocationId": StorageLocationId as String = read::text(str::parse),
        #[schema(format = "uuid")]
        patch preferred_store "preferredStoreId": StoreId as String = read::text(str::parse),
        /// More than 0, and at most 1000.
        patch step: TagStep as f64 = read::number(TagStep::parse),
        #[schema(minimum = 1, maximum = 36_500)]
        patch shelf_life "shelfLifeDays": ShelfLife as u16 = read::whole(ShelfLife::parse),
        #[schema(minimum = 1, maximum = 36_500)]
        patch opened_shelf_life "openedShelfLifeDays": ShelfLife as u16 =
            read::whole(ShelfLife::parse),
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        patch low_stock_threshold "lowStockThreshold": Quantity as f64 =
            read::number(Quantity::parse),
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        patch desired_quantity "desiredQuantity": Quantity as f64 = read::number(Quantity::parse),
        /// EAN-8, UPC-A, EAN-13 or GTIN-14, with their check digits, each once.
        #[schema(max_items = 20)]
        change barcodes: Barcodes as Vec<String> = read_barcodes,
        #[schema(max_length = 1000)]
        patch notes: Notes as String = read::text(Notes::parse),
        change auto_list "autoList": bool as bool = read::boolean,
        /// If another product has the new name, make the two one: the other stays, with all lots.
        default merge: bool as bool = read::boolean,
    }
}

fn read_barcodes(value: &RawValue) -> Result<Barcodes, read::Refusal> {
    let codes = read::list(Barcodes::MAX, || read::text(Gtin::parse))(value)?;
    Barcodes::new(codes).map_err(|error| error.to_string().into())
}

impl From<ProductChanges> for ProductPatch {
    fn from(changes: ProductChanges) -> Self {
        let notes = changes.notes.into_change();
        Self {
            name: changes.name,
            unit: changes.unit,
            category: changes.category,
            location: changes.location.into_change(),
            preferred_store: changes.preferred_store.into_change(),
            step: changes.step.into_change().map(|step| step.map(UsualStep)),
            shelf_life: changes.shelf_life.into_change(),
            opened_shelf_life: changes.opened_shelf_life.into_change(),
            low_stock_threshold: changes.low_stock_threshold.into_change(),
            desired_quantity: changes.desired_quantity.into_change(),
            barcodes: changes.barcodes,
            // It has a route of its own.
            photo: None,
            notes: notes.map(|notes| notes.filter(|notes| !notes.is_empty())),
            auto_list: changes.auto_list,
        }
    }
}
