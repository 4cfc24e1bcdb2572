//! `InventoryItem` records.

use larder_domain::Item;
use larder_storage::Result;

use crate::{
    Record,
    layout::{entity::Layout, keys},
};

pub(crate) const ENTITY: &str = "InventoryItem";

pub(crate) const LAYOUT: Layout =
    Layout { renamed: &[("id", "itemId"), ("householdId", "familyId")], writes_null: false };

pub(crate) fn to_record(item: &Item) -> Record {
    let key = keys::item(item.owner, item.id);
    let record = Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("GSI2PK", keys::items_pk(item.owner))
        .with("GSI2SK", keys::item_created_sk(item.created_at, item.id))
        .with("entityType", ENTITY);
    LAYOUT.write(item, record)
}

/// Whether this is an item, and not the record of one of its tags.
pub(crate) fn is_item(record: &Record) -> bool {
    record.text("entityType") == Some(ENTITY)
}

pub(crate) fn from_record(record: &Record) -> Result<Item> {
    LAYOUT.read(record)
}
