//! Items as the API shows and reads them: every body that names the fields of an item is in this file.

use jiff::{Timestamp, civil::Date};
use larder_domain::{
    CategoryId, ExpirationDate, ExpirationStatus, HouseholdId, ImageUrl, Item, ItemDetails, ItemId,
    ItemName, ItemPatch, Notes, OTHER_CATEGORY, OpeningDate, Owner, Price, Quantity,
    StorageLocationId, StoreId, Unit, UserId,
};
use larder_http::{Fields, Hundredths, Problem, read};
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::{as_optional_text, as_text, as_time};

/// An item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Item)]
pub(crate) struct ItemDto<'a> {
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    id: ItemId,
    /// The household; null for a person's own item.
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = "uuid")]
    household_id: Option<HouseholdId>,
    #[schema(max_length = 200)]
    name: &'a str,
    /// An exact decimal with at most two places.
    #[schema(value_type = f64, minimum = 0, maximum = 99_999_999.99)]
    quantity: Hundredths,
    #[schema(max_length = 20)]
    unit: &'a str,
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = Date)]
    expiration_date: Option<ExpirationDate>,
    expiration_status: &'static str,
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    category_id: CategoryId,
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = "uuid")]
    storage_location_id: Option<StorageLocationId>,
    image_url: Option<&'a str>,
    notes: Option<&'a str>,
    /// Whether nothing is left.
    is_depleted: bool,
    /// Below this the item is low.
    #[schema(value_type = Option<f64>)]
    low_stock_threshold: Option<Hundredths>,
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = "uuid")]
    preferred_store_id: Option<StoreId>,
    /// Since when it is open.
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = Date)]
    opened_on: Option<OpeningDate>,
    /// What it cost, in the household's currency.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 99_999_999.99)]
    price_paid: Option<Hundredths>,
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    created_by: UserId,
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    updated_by: UserId,
    /// Counts changes. Send it back with a PATCH.
    version: u64,
}

impl<'a> ItemDto<'a> {
    /// The item as it looks on this day.
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
            expiration_status: ExpirationStatus::of(details.expiration, today).as_str(),
            category_id: details.category,
            storage_location_id: details.location,
            image_url: details.image_url.as_ref().map(ImageUrl::as_str),
            notes: details.notes.as_ref().map(Notes::as_str),
            is_depleted: details.is_depleted(),
            low_stock_threshold: details.low_stock_threshold.map(Into::into),
            preferred_store_id: details.preferred_store,
            opened_on: details.opened_on,
            price_paid: details.price_paid.map(|price| Hundredths(price.hundredths())),
            created_by: item.created_by,
            created_at: item.created_at,
            updated_at: item.updated_at,
            updated_by: item.updated_by,
            version: item.version,
        }
    }
}

/// A new item.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `NewItem::read` reads")]
pub(super) struct NewItem {
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// An exact decimal with at most two places.
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    quantity: f64,
    #[schema(min_length = 1, max_length = 20)]
    unit: String,
    #[schema(format = Date)]
    expiration_date: Option<String>,
    /// Without one, the item is in "Other".
    #[schema(format = "uuid")]
    category_id: Option<String>,
    #[schema(format = "uuid")]
    storage_location_id: Option<String>,
    #[schema(max_length = 500)]
    image_url: Option<String>,
    #[schema(max_length = 1000)]
    notes: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    low_stock_threshold: Option<f64>,
    #[schema(format = "uuid")]
    preferred_store_id: Option<String>,
    #[schema(format = Date)]
    opened_on: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    price_paid: Option<f64>,
}

impl NewItem {
    pub(super) fn read(body: &[u8]) -> Result<ItemDetails, Problem> {
        let mut fields = Fields::parse(body)?;
        let name = fields.required("name", read::text(ItemName::parse));
        let quantity = fields.required("quantity", read::number(Quantity::parse));
        let unit = fields.required("unit", read::text(Unit::parse));
        let category = fields.optional("categoryId", read::text(str::parse));
        let rest = read_clearable(&mut fields);
        fields.finish(|| {
            let mut details = ItemDetails::new(name?, quantity?, unit?);
            details.category = category.unwrap_or(OTHER_CATEGORY);
            Some(rest.apply(&details))
        })
    }
}

/// What to change. A field that is absent stays; one that is null is cleared, where it can be.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what `ItemChanges::read` reads")]
pub(super) struct ItemChanges {
    /// The version that the change is based on.
    #[schema(minimum = 1)]
    version: u64,
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    quantity: Option<f64>,
    #[schema(min_length = 1, max_length = 20)]
    unit: Option<String>,
    #[schema(format = Date)]
    expiration_date: Option<String>,
    #[schema(format = "uuid")]
    category_id: Option<String>,
    #[schema(format = "uuid")]
    storage_location_id: Option<String>,
    #[schema(max_length = 500)]
    image_url: Option<String>,
    #[schema(max_length = 1000)]
    notes: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    low_stock_threshold: Option<f64>,
    #[schema(format = "uuid")]
    preferred_store_id: Option<String>,
    #[schema(format = Date)]
    opened_on: Option<String>,
    #[schema(minimum = 0, maximum = 99_999_999.99)]
    price_paid: Option<f64>,
    /// When another item has the new name and date already, make the two one: the other stays, with both
    /// quantities.
    merge: Option<bool>,
}

/// A change of an item and what it is based on.
pub(super) struct Update {
    pub(super) version: u64,
    pub(super) patch: ItemPatch,
    pub(super) merge: bool,
}

impl ItemChanges {
    pub(super) fn read(body: &[u8]) -> Result<Update, Problem> {
        let mut fields = Fields::parse(body)?;
        let version = fields.required("version", read::integer::<u64>);
        let merge = fields.optional("merge", read::boolean).unwrap_or(false);
        let patch = ItemPatch {
            name: fields.change("name", read::text(ItemName::parse)),
            quantity: fields.change("quantity", read::number(Quantity::parse)),
            unit: fields.change("unit", read::text(Unit::parse)),
            category: fields.change("categoryId", read::text(str::parse)),
            ..read_clearable(&mut fields)
        };
        fields.finish(|| Some(Update { version: version?, patch, merge }))
    }
}

/// The fields that may be empty: null says so, for a new item as for a change.
fn read_clearable(fields: &mut Fields<'_>) -> ItemPatch {
    let mut patch = ItemPatch {
        expiration: fields.patch("expirationDate", read::text(ExpirationDate::parse)).into_change(),
        location: fields.patch("storageLocationId", read::text(str::parse)).into_change(),
        image_url: fields.patch("imageUrl", read::text(ImageUrl::parse)).into_change(),
        notes: fields.patch("notes", read::text(Notes::parse)).into_change(),
        low_stock_threshold: fields
            .patch("lowStockThreshold", read::number(Quantity::parse))
            .into_change(),
        preferred_store: fields.patch("preferredStoreId", read::text(str::parse)).into_change(),
        opened_on: fields.patch("openedOn", read::text(OpeningDate::parse)).into_change(),
        price_paid: fields.patch("pricePaid", read::number(Price::parse)).into_change(),
        ..ItemPatch::default()
    };
    patch.notes = patch.notes.map(|notes| notes.filter(|notes| !notes.is_empty()));
    patch
}

/// A page of items.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ItemPage)]
pub(crate) struct ItemPage<'a> {
    pub(crate) items: Vec<ItemDto<'a>>,
    /// Where the next page begins; null on the last one.
    pub(crate) next_cursor: Option<String>,
}
