//! The rows of an export. Names are those of the API.

use jiff::Timestamp;
use larder_domain::{
    Device, FriendlyName, Household, ImageUrl, Item, Member, NfcUrl, Notes, Notification, Quantity,
    Resource, ShoppingItem, ShoppingNotes, ShoppingQuantity, StorageLocation, Store, StoreAddress,
    TagLabel, UniqueKey, Urn,
};
use larder_storage::{ItemChange, Membership};
use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

/// A moment in UTC with milliseconds.
pub(super) fn moment(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// The invite code opens the household, so it is the admins'.
pub(super) fn household(household: &Household, is_admin: bool) -> Value {
    json!({
        "id": household.id.to_string(),
        "name": household.name.as_str(),
        "timeZone": household.zone.name(),
        "inviteCode": is_admin.then(|| household.invite_code.as_str().to_owned()),
        "createdAt": moment(household.created_at),
    })
}

pub(super) fn member(member: &Member) -> Value {
    json!({
        "userId": member.user.to_string(),
        "name": member.name.as_str(),
        "email": member.email.as_str(),
        "role": member.role.as_str(),
        "joinedAt": moment(member.joined_at),
    })
}

pub(super) fn location(location: &StorageLocation) -> Value {
    let device = location.device.as_ref().map(ToString::to_string);
    json!({ "id": location.id.to_string(), "name": location.name.as_str(), "deviceId": device })
}

pub(super) fn store(store: &Store) -> Value {
    let address = store.address.as_ref().map(StoreAddress::as_str);
    json!({ "id": store.id.to_string(), "name": store.name.as_str(), "address": address })
}

pub(super) fn item(item: &Item, history: Vec<Value>) -> Value {
    let mut row = item_now(item);
    row["history"] = Value::Array(history);
    row
}

fn item_now(item: &Item) -> Value {
    let details = &item.details;
    json!({
        "id": item.id.to_string(),
        "name": details.name.as_str(),
        "quantity": number(details.quantity),
        "unit": details.unit.as_str(),
        "expirationDate": details.expiration.map(|date| date.to_string()),
        "categoryId": details.category.to_string(),
        "storageLocationId": details.location.map(|location| location.to_string()),
        "imageUrl": details.image_url.as_ref().map(ImageUrl::as_str),
        "notes": details.notes.as_ref().map(Notes::as_str),
        "lowStockThreshold": details.low_stock_threshold.map(number),
        "preferredStoreId": details.preferred_store.map(|store| store.to_string()),
        "createdBy": item.created_by.to_string(),
        "createdAt": moment(item.created_at),
        "updatedBy": item.updated_by.to_string(),
        "updatedAt": moment(item.updated_at),
        "version": item.version,
    })
}

pub(super) fn change(change: &ItemChange) -> Value {
    json!({
        "at": moment(change.at),
        "by": change.by.map(|user| user.to_string()),
        "old": change.versions.old.as_ref().map(item_now),
        "new": change.versions.new.as_ref().map(item_now),
    })
}

pub(super) fn shopping_item(entry: &ShoppingItem) -> Value {
    let details = &entry.details;
    json!({
        "shoppingItemId": entry.id.to_string(),
        "itemId": entry.item.map(|item| item.to_string()),
        "name": details.name.as_str(),
        "storeId": details.store.map(|store| store.to_string()),
        "quantity": details.quantity.map(ShoppingQuantity::get),
        "notes": details.notes.as_ref().map(ShoppingNotes::as_str),
        "status": entry.status.as_str(),
        "addedBy": entry.added_by.to_string(),
        "createdAt": moment(entry.created_at),
        "updatedAt": moment(entry.updated_at),
        "version": entry.version,
    })
}

pub(super) fn notification(notification: &Notification) -> Value {
    json!({
        "notificationId": notification.id.to_string(),
        "itemId": notification.item.to_string(),
        "itemName": notification.item_name.as_str(),
        "kind": notification.subject.kind().as_str(),
        "createdAt": moment(notification.created_at),
        "acknowledgedAt": notification.acknowledged.as_ref().map(|seen| moment(seen.at)),
        "resolvedAt": notification.resolved_at.map(moment),
    })
}

/// Without its address: whoever holds that can adjust the item, and a file is easily passed on.
pub(super) fn tag(tag: &NfcUrl) -> Value {
    json!({
        "itemId": tag.item.to_string(),
        "itemName": tag.item_name.as_str(),
        "label": tag.label.as_ref().map(TagLabel::as_str),
        "step": Quantity::from_hundredths(tag.step.hundredths()).map(number).ok(),
        "isReplaced": tag.rotated.is_some(),
        "createdAt": moment(tag.created_at),
        "lastAccessedAt": tag.last_accessed_at.map(moment),
        "accessCount": tag.access_count,
    })
}

pub(super) fn device(device: &Device) -> Value {
    json!({
        "hardware_id": device.hardware_id.to_string(),
        "friendly_name": device.friendly_name.as_ref().map(FriendlyName::as_str),
        "firmware_version": device.firmware_version.as_str(),
        "first_registered_at": moment(device.first_registered_at),
        "last_seen_at": moment(device.last_seen_at),
    })
}

/// A thing. Its attributes are written as they are kept: no number loses a digit.
#[derive(Serialize)]
pub(super) struct Thing {
    urn: String,
    #[serde(rename = "_parentUrn")]
    parent: Option<String>,
    #[serde(rename = "_schemaVersion")]
    schema_version: u32,
    #[serde(rename = "_createdAt")]
    created_at: String,
    #[serde(rename = "_updatedAt")]
    updated_at: String,
    #[serde(rename = "uniqueKeys")]
    unique_keys: Vec<Value>,
    attributes: Option<Box<RawValue>>,
}

pub(super) fn thing(thing: &Resource) -> Thing {
    let key = |key: &UniqueKey| {
        json!({
            "key": key.property.as_str(), "value": key.value.as_str(), "caseInsensitive": key.case_insensitive,
        })
    };
    Thing {
        urn: thing.urn.to_string(),
        parent: thing.parent.as_ref().map(ToString::to_string),
        schema_version: thing.schema_version.number(),
        created_at: moment(thing.created_at),
        updated_at: moment(thing.updated_at),
        unique_keys: thing.unique_keys.iter().map(key).collect(),
        attributes: RawValue::from_string(thing.attributes.to_json()).ok(),
    }
}

pub(super) fn membership(collection: &Urn, membership: &Membership) -> Value {
    json!({
        "collectionUrn": collection.to_string(),
        "memberUrn": membership.resource.urn.to_string(),
        "conveysAuthorization": membership.conveys_authorization,
        "_createdAt": moment(membership.created_at),
    })
}

fn number(quantity: Quantity) -> Value {
    exact(&quantity.to_string())
}

/// A decimal with two places, which a JSON number of this size holds exactly.
fn exact(decimal: &str) -> Value {
    serde_json::from_str(decimal).unwrap_or_else(|_| Value::String(decimal.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_written_as_they_are_read() {
        for text in ["0", "0.1", "1.5", "2", "99999999.99", "0.07"] {
            assert_eq!(number(Quantity::parse(text).unwrap()).to_string(), text);
        }
    }
}
