//! Items as the API shows and reads them: every body with the fields of an item is in this file.

use jiff::civil::Date;
use larder_domain::{
    CategoryId, ExpirationDate, ExpirationStatus, Gtin, HouseholdId, ImageUrl, Item, ItemDetails,
    ItemId, ItemName, ItemPatch, LeftOpen, Notes, OTHER_CATEGORY, OpeningDate, Owner, Price,
    ProductId, Quantity, ShelfLife, StorageLocationId, StoreId, Unit, UserId,
};
use larder_http::{Hundredths, read, request_body};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{products::dto::photo_url, values::Time};

/// An item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Item)]
pub(crate) struct ItemDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: ItemId,
    /// The household; null for a user's own item.
    #[schema(value_type = Option<String>, format = "uuid")]
    household_id: Option<HouseholdId>,
    #[schema(max_length = 200)]
    name: &'a str,
    /// An exact decimal with at most two places.
    #[schema(value_type = f64, minimum = 0, maximum = 99_999_999.99)]
    quantity: Hundredths,
    #[schema(max_length = 20)]
    unit: &'a str,
    #[schema(value_type = Option<String>, format = Date)]
    expiration_date: Option<ExpirationDate>,
    expiration_status: &'static str,
    #[schema(value_type = String, format = "uuid")]
    category_id: CategoryId,
    #[schema(value_type = Option<String>, format = "uuid")]
    storage_location_id: Option<StorageLocationId>,
    image_url: Option<&'a str>,
    notes: Option<&'a str>,
    /// Whether the quantity is 0.
    is_depleted: bool,
    /// The item is low below this.
    #[schema(value_type = Option<f64>)]
    low_stock_threshold: Option<Hundredths>,
    #[schema(value_type = Option<String>, format = "uuid")]
    preferred_store_id: Option<StoreId>,
    /// The date when it was opened.
    #[schema(value_type = Option<String>, format = Date)]
    opened_on: Option<OpeningDate>,
    /// The price, in the household's currency.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 99_999_999.99)]
    price_paid: Option<Hundredths>,
    /// The product's: the quantity to have after shopping.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 99_999_999.99)]
    desired_quantity: Option<Hundredths>,
    /// The product's: how many days it keeps.
    #[schema(minimum = 1, maximum = 36_500)]
    shelf_life_days: Option<u16>,
    /// The product's: how many days it keeps once it is open.
    #[schema(minimum = 1, maximum = 36_500)]
    opened_shelf_life_days: Option<u16>,
    /// The date that counts: the expiration date, or an earlier one because it is open.
    #[schema(value_type = Option<String>, format = Date)]
    good_until: Option<ExpirationDate>,
    /// Its product; null in versions from before there were products.
    #[schema(value_type = Option<String>, format = "uuid")]
    product_id: Option<ProductId>,
    /// The content address of the product's photo, relative to the server; null without one.
    photo_url: Option<String>,
    #[schema(value_type = String, format = "uuid")]
    created_by: UserId,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
    #[schema(value_type = String, format = "uuid")]
    updated_by: UserId,
    /// The number of changes. Send it with a PATCH.
    version: u64,
}

impl<'a> ItemDto<'a> {
    /// The item as shown on this day.
    pub(crate) fn of(item: &'a Item, today: Date) -> Self {
        let details = &item.details;
        Self {
            id: item.id,
            household_id: match item.owner {
                Owner::Household(household) => Some(household),
                Owner::User(_) => None,
            },
            name: details.name.as_str(),
            quantity: details.quantity.into(),
            unit: details.unit.as_str(),
            expiration_date: details.expiration,
            expiration_status: ExpirationStatus::of(details.good_until(), today).as_str(),
            category_id: details.category,
            storage_location_id: details.location,
            image_url: details.image_url.as_ref().map(ImageUrl::as_str),
            notes: details.notes.as_ref().map(Notes::as_str),
            is_depleted: details.is_depleted(),
            low_stock_threshold: details.low_stock_threshold.map(Into::into),
            preferred_store_id: details.preferred_store,
            opened_on: details.opened_on,
            price_paid: details.price_paid.map(|price| Hundredths(price.hundredths())),
            desired_quantity: details.desired_quantity.map(Into::into),
            shelf_life_days: details.shelf_life.map(ShelfLife::days),
            opened_shelf_life_days: details.opened_shelf_life.map(ShelfLife::days),
            good_until: details.good_until(),
            product_id: item.product,
            photo_url: item.product.zip(details.photo).map(|(id, photo)| photo_url(id, photo)),
            created_by: item.created_by,
            created_at: Time(item.created_at),
            updated_at: Time(item.updated_at),
            updated_by: item.updated_by,
            version: item.version,
        }
    }
}

request_body! {
    /// A new item.
    pub(super) struct NewItem {
        /// Remembered as a barcode of the item's product, unless another product has it.
        optional barcode: Gtin as String = read::text(Gtin::parse),
        #[schema(min_length = 1, max_length = 200)]
        required name: ItemName as String = read::text(ItemName::parse),
        /// An exact decimal with at most two places.
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        required quantity: Quantity as f64 = read::number(Quantity::parse),
        #[schema(min_length = 1, max_length = 20)]
        required unit: Unit as String = read::text(Unit::parse),
        /// Absent: today and the shelf life of the product, if that is known. Null: none.
        #[schema(format = Date)]
        patch expiration "expirationDate": ExpirationDate as String =
            read::text(ExpirationDate::parse),
        /// Absent: the product's category, or "Other" for a new name.
        #[schema(format = "uuid")]
        optional category "categoryId": CategoryId as String = read::text(str::parse),
        /// Absent: the usual place of the product, if that is known. Null: none.
        #[schema(format = "uuid")]
        patch location "storageLocationId": StorageLocationId as String = read::text(str::parse),
        #[schema(max_length = 500)]
        optional image_url "imageUrl": ImageUrl as String = read::text(ImageUrl::parse),
        #[schema(max_length = 1000)]
        optional notes: Notes as String = read::text(Notes::parse),
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        optional low_stock_threshold "lowStockThreshold": Quantity as f64 =
            read::number(Quantity::parse),
        #[schema(format = "uuid")]
        optional preferred_store "preferredStoreId": StoreId as String = read::text(str::parse),
        #[schema(format = Date)]
        optional opened_on "openedOn": OpeningDate as String = read::text(OpeningDate::parse),
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        optional price_paid "pricePaid": Price as f64 = read::number(Price::parse),
        #[schema(minimum = 0, maximum = 99_999_999.99)]
        optional desired_quantity "desiredQuantity": Quantity as f64 =
            read::number(Quantity::parse),
        #[schema(minimum = 1, maximum = 36_500)]
        optional shelf_life "shelfLifeDays": ShelfLife as u16 = read::whole(ShelfLife::parse),
        #[schema(minimum = 1, maximum = 36_500)]
        optional opened_shelf_life "openedShelfLifeDays": ShelfLife as u16 =
            read::whole(ShelfLife::parse),
        /// Whether the product remembers category, place and how long it keeps, for the next time.
        default remember: bool as bool = read::boolean,
    }
}

impl NewItem {
    /// What was left open.
    pub(super) const fn left_open(&self) -> LeftOpen {
        LeftOpen {
            expiration: self.expiration.is_absent(),
            category: self.category.is_none(),
            location: self.location.is_absent(),
        }
    }
}

impl From<NewItem> for ItemDetails {
    fn from(new: NewItem) -> Self {
        Self {
            name: new.name,
            quantity: new.quantity,
            unit: new.unit,
            expiration: new.expiration.apply(None),
            category: new.category.unwrap_or(OTHER_CATEGORY),
            location: new.location.apply(None),
            image_url: new.image_url,
            notes: new.notes.filter(|notes| !notes.is_empty()),
            low_stock_threshold: new.low_stock_threshold,
            preferred_store: new.preferred_store,
            opened_on: new.opened_on,
            price_paid: new.price_paid,
            desired_quantity: new.desired_quantity,
            shelf_life: new.shelf_life,
            opened_shelf_life: new.opened_shelf_life,
            // The product's.
            photo: None,
        }
    }
}

/// Declares a body that changes an item: its own fields, followed by all changeable fields.
macro_rules! item_changes {
    ($(#[$doc:meta])* struct $name:ident { $($own:tt)* }) => {
        request_body! {
            $(#[$doc])*
            pub(super) struct $name {
                $($own)*
                #[schema(min_length = 1, max_length = 200)]
                change name: ItemName as String = read::text(ItemName::parse),
                #[schema(minimum = 0, maximum = 99_999_999.99)]
                change quantity: Quantity as f64 = read::number(Quantity::parse),
                #[schema(min_length = 1, max_length = 20)]
                change unit: Unit as String = read::text(Unit::parse),
                #[schema(format = Date)]
                patch expiration "expirationDate": ExpirationDate as String =
                    read::text(ExpirationDate::parse),
                #[schema(format = "uuid")]
                change category "categoryId": CategoryId as String = read::text(str::parse),
                #[schema(format = "uuid")]
                patch location "storageLocationId": StorageLocationId as String =
                    read::text(str::parse),
                #[schema(max_length = 500)]
                patch image_url "imageUrl": ImageUrl as String = read::text(ImageUrl::parse),
                #[schema(max_length = 1000)]
                patch notes: Notes as String = read::text(Notes::parse),
                #[schema(minimum = 0, maximum = 99_999_999.99)]
                patch low_stock_threshold "lowStockThreshold": Quantity as f64 =
                    read::number(Quantity::parse),
                #[schema(format = "uuid")]
                patch preferred_store "preferredStoreId": StoreId as String =
                    read::text(str::parse),
                #[schema(format = Date)]
                patch opened_on "openedOn": OpeningDate as String = read::text(OpeningDate::parse),
                #[schema(minimum = 0, maximum = 99_999_999.99)]
                patch price_paid "pricePaid": Price as f64 = read::number(Price::parse),
                #[schema(minimum = 0, maximum = 99_999_999.99)]
                patch desired_quantity "desiredQuantity": Quantity as f64 =
                    read::number(Quantity::parse),
                #[schema(minimum = 1, maximum = 36_500)]
                patch shelf_life "shelfLifeDays": ShelfLife as u16 = read::whole(ShelfLife::parse),
                #[schema(minimum = 1, maximum = 36_500)]
                patch opened_shelf_life "openedShelfLifeDays": ShelfLife as u16 =
                    read::whole(ShelfLife::parse),
                /// If another item has the new name and date already, merge the two: the other
                /// stays, with both quantities.
                default merge: bool as bool = read::boolean,
            }
        }

        impl From<$name> for ItemPatch {
            fn from(changes: $name) -> Self {
                let notes = changes.notes.into_change();
                Self {
                    name: changes.name,
                    quantity: changes.quantity,
                    unit: changes.unit,
                    expiration: changes.expiration.into_change(),
                    category: changes.category,
                    location: changes.location.into_change(),
                    image_url: changes.image_url.into_change(),
                    notes: notes.map(|notes| notes.filter(|notes| !notes.is_empty())),
                    low_stock_threshold: changes.low_stock_threshold.into_change(),
                    preferred_store: changes.preferred_store.into_change(),
                    opened_on: changes.opened_on.into_change(),
                    price_paid: changes.price_paid.into_change(),
                    desired_quantity: changes.desired_quantity.into_change(),
                    shelf_life: changes.shelf_life.into_change(),
                    opened_shelf_life: changes.opened_shelf_life.into_change(),
                    photo: None,
                }
            }
        }
    };
}

item_changes! {
    /// The changes. Absent fields are unchanged; null clears a field, if it is optional.
    struct ItemChanges {
        /// The version that the change is based on.
        #[schema(minimum = 1)]
        required version: u64 as u64 = read::integer,
    }
}

item_changes! {
    /// The changes of one of several items, as in a PATCH of it.
    struct BulkPatch {}
}

/// A page of items.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ItemPage)]
pub(crate) struct ItemPage<'a> {
    pub(crate) items: Vec<ItemDto<'a>>,
    /// The cursor of the next page; null on the last page.
    pub(crate) next_cursor: Option<String>,
}
