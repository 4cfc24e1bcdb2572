//! Items as the API shows them.

use jiff::{Timestamp, civil::Date};
use larder_domain::{
    CategoryId, ExpirationDate, ExpirationStatus, HouseholdId, ImageUrl, Item, ItemId, Notes,
    Owner, StorageLocationId, StoreId, UserId,
};
use larder_http::Hundredths;
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
            created_by: item.created_by,
            created_at: item.created_at,
            updated_at: item.updated_at,
            updated_by: item.updated_by,
            version: item.version,
        }
    }
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
