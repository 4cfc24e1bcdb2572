//! Entries of the shopping list.

use larder_domain::{
    ShoppingDetails, ShoppingItem, ShoppingName, ShoppingNotes, ShoppingQuantity, ShoppingStatus,
};
use larder_storage::Result;
use serde::{Deserialize, Serialize};

use super::fields::{check, parse, parse_optional, read, read_optional, time};

/// An entry of the shopping list.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ShoppingJson {
    id: String,
    household_id: String,
    item_id: Option<String>,
    name: String,
    store_id: Option<String>,
    status: String,
    quantity: Option<u32>,
    notes: Option<String>,
    version: u64,
    expires_at: Option<String>,
    added_by: String,
    created_at: String,
    updated_at: String,
}

impl ShoppingJson {
    pub(crate) fn of(entry: &ShoppingItem) -> Self {
        let details = &entry.details;
        Self {
            id: entry.id.to_string(),
            household_id: entry.household.to_string(),
            item_id: entry.item.map(|id| id.to_string()),
            name: details.name.as_str().to_owned(),
            store_id: details.store.map(|id| id.to_string()),
            status: entry.status.as_str().to_owned(),
            quantity: details.quantity.map(ShoppingQuantity::get),
            notes: details.notes.as_ref().map(|notes| notes.as_str().to_owned()),
            version: entry.version,
            expires_at: entry.expires_at.map(time),
            added_by: entry.added_by.to_string(),
            created_at: time(entry.created_at),
            updated_at: time(entry.updated_at),
        }
    }

    pub(crate) fn into_entry(self) -> Result<ShoppingItem> {
        let notes = parse_optional("notes", self.notes.as_deref(), ShoppingNotes::parse)?;
        let quantity = self.quantity.map(|count| ShoppingQuantity::new(count.into()));
        let details = ShoppingDetails {
            name: parse("name", &self.name, ShoppingName::parse)?,
            store: read_optional("store_id", self.store_id.as_deref())?,
            quantity: quantity.map(|checked| check("quantity", checked)).transpose()?,
            notes: notes.flatten(),
        };
        Ok(ShoppingItem {
            id: read("id", &self.id)?,
            household: read("household_id", &self.household_id)?,
            item: read_optional("item_id", self.item_id.as_deref())?,
            details,
            status: parse("status", &self.status, ShoppingStatus::parse)?,
            version: self.version,
            expires_at: read_optional("expires_at", self.expires_at.as_deref())?,
            added_by: read("added_by", &self.added_by)?,
            created_at: read("created_at", &self.created_at)?,
            updated_at: read("updated_at", &self.updated_at)?,
        })
    }
}
