//! `InventoryItem` records.

use larder_domain::{
    ExpirationDate, ImageUrl, Item, ItemDetails, ItemName, Notes, Owner, Unit, UserId,
};
use larder_storage::Result;

use crate::{
    Number, Record,
    layout::{
        fields::{Fields, quantity_number, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "InventoryItem";

pub(crate) fn to_record(item: &Item) -> Record {
    let key = keys::item(item.owner, item.id);
    let details = &item.details;
    let (owner_attribute, owner_id) = match item.owner {
        Owner::Household(household) => ("familyId", household.to_string()),
        Owner::User(user) => ("userId", user.to_string()),
    };
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("GSI2PK", keys::items_pk(item.owner))
        .with("GSI2SK", keys::item_created_sk(item.created_at, item.id))
        .with("entityType", ENTITY)
        .with("itemId", item.id.to_string())
        .with(owner_attribute, owner_id)
        .with("name", details.name.as_str())
        .with("quantity", quantity_number(details.quantity))
        .with("unit", details.unit.as_str())
        .with_some("expirationDate", details.expiration.map(|date| date.to_string()))
        .with("categoryId", details.category.to_string())
        .with_some("storageLocationId", details.location.map(|id| id.to_string()))
        .with_some("imageUrl", details.image_url.as_ref().map(ImageUrl::as_str))
        .with_some("notes", details.notes.as_ref().map(Notes::as_str))
        .with_some("lowStockThreshold", details.low_stock_threshold.map(quantity_number))
        .with_some("preferredStoreId", details.preferred_store.map(|id| id.to_string()))
        .with("createdBy", item.created_by.to_string())
        .with("createdAt", timestamp_text(item.created_at))
        .with("updatedBy", item.updated_by.to_string())
        .with("updatedAt", timestamp_text(item.updated_at))
        .with("version", Number::from(i64::try_from(item.version).unwrap_or(i64::MAX)))
}

/// Whether this is an item, and not the record of one of its tags.
pub(crate) fn is_item(record: &Record) -> bool {
    record.text("entityType") == Some(ENTITY)
}

pub(crate) fn from_record(record: &Record) -> Result<Item> {
    let fields = Fields(record);
    let owner = match fields.optional_id("familyId")? {
        Some(household) => Owner::Household(household),
        None => Owner::User(fields.id::<UserId>("userId")?),
    };
    Ok(Item {
        id: fields.id("itemId")?,
        owner,
        details: ItemDetails {
            name: fields.parse("name", ItemName::parse)?,
            quantity: fields.quantity("quantity")?,
            unit: fields.parse("unit", Unit::parse)?,
            expiration: fields.parse_optional("expirationDate", ExpirationDate::parse)?,
            category: fields.id("categoryId")?,
            location: fields.optional_id("storageLocationId")?,
            image_url: fields.parse_optional("imageUrl", ImageUrl::parse)?,
            notes: fields.parse_optional("notes", Notes::parse)?,
            low_stock_threshold: fields.optional_quantity("lowStockThreshold")?,
            preferred_store: fields.optional_id("preferredStoreId")?,
        },
        created_by: fields.id("createdBy")?,
        created_at: fields.time("createdAt")?,
        updated_by: fields.id("updatedBy")?,
        updated_at: fields.time("updatedAt")?,
        version: fields.count("version")?,
    })
}
