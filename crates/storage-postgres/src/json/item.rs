//! Items.

use larder_domain::{
    ExpirationDate, ImageUrl, Item, ItemDetails, ItemName, Notes, Owner, Quantity, Unit,
};
use larder_storage::Result;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::fields::{number, parse, parse_optional, read, read_optional, time};

/// An item.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ItemJson {
    id: String,
    household_id: Option<String>,
    name: String,
    quantity: Box<RawValue>,
    unit: String,
    expiration_date: Option<String>,
    category_id: String,
    storage_location_id: Option<String>,
    image_url: Option<String>,
    notes: Option<String>,
    low_stock_threshold: Option<Box<RawValue>>,
    preferred_store_id: Option<String>,
    created_by: String,
    created_at: String,
    updated_by: String,
    updated_at: String,
    version: u64,
}

impl ItemJson {
    pub(crate) fn of(item: &Item) -> Self {
        let details = &item.details;
        let household_id = match item.owner {
            Owner::Household(household) => Some(household.to_string()),
            Owner::User(_) => None,
        };
        Self {
            id: item.id.to_string(),
            household_id,
            name: details.name.to_string(),
            quantity: number(details.quantity),
            unit: details.unit.to_string(),
            expiration_date: details.expiration.map(|date| date.to_string()),
            category_id: details.category.to_string(),
            storage_location_id: details.location.map(|id| id.to_string()),
            image_url: details.image_url.as_ref().map(|url| url.as_str().to_owned()),
            notes: details.notes.as_ref().map(|notes| notes.as_str().to_owned()),
            low_stock_threshold: details.low_stock_threshold.map(number),
            preferred_store_id: details.preferred_store.map(|id| id.to_string()),
            created_by: item.created_by.to_string(),
            created_at: time(item.created_at),
            updated_by: item.updated_by.to_string(),
            updated_at: time(item.updated_at),
            version: item.version,
        }
    }

    pub(crate) fn into_item(self) -> Result<Item> {
        let created_by = read("created_by", &self.created_by)?;
        let owner = match read_optional("household_id", self.household_id.as_deref())? {
            Some(household) => Owner::Household(household),
            None => Owner::User(created_by),
        };
        let quantity =
            |column: &str, number: &RawValue| parse(column, number.get(), Quantity::parse);
        let threshold = self.low_stock_threshold.as_deref();
        let details = ItemDetails {
            name: parse("name", &self.name, ItemName::parse)?,
            quantity: quantity("quantity", &self.quantity)?,
            unit: parse("unit", &self.unit, Unit::parse)?,
            expiration: parse_optional(
                "expiration_date",
                self.expiration_date.as_deref(),
                ExpirationDate::parse,
            )?,
            category: read("category_id", &self.category_id)?,
            location: read_optional("storage_location_id", self.storage_location_id.as_deref())?,
            image_url: parse_optional("image_url", self.image_url.as_deref(), ImageUrl::parse)?,
            notes: parse_optional("notes", self.notes.as_deref(), Notes::parse)?,
            low_stock_threshold: threshold
                .map(|number| quantity("low_stock_threshold", number))
                .transpose()?,
            preferred_store: read_optional(
                "preferred_store_id",
                self.preferred_store_id.as_deref(),
            )?,
        };
        Ok(Item {
            id: read("id", &self.id)?,
            owner,
            details,
            created_by,
            created_at: read("created_at", &self.created_at)?,
            updated_by: read("updated_by", &self.updated_by)?,
            updated_at: read("updated_at", &self.updated_at)?,
            version: self.version,
        })
    }
}
