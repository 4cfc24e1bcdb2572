//! The rows of an export. Names are those of the API.

use jiff::Timestamp;
use larder_domain::{
    Device, Entity, FieldSink, FriendlyName, Household, Item, Language, NfcUrl, Quantity, Resource,
    TagLabel, UniqueKey, Urn, User, Zone,
};
use larder_storage::{ItemChange, Membership};
use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

/// A moment in UTC with milliseconds.
pub(super) fn moment(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// An entity with all its fields, under their public names.
pub(super) fn entity(entity: &impl Entity) -> Value {
    let fields = fields(entity).into_iter();
    Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The same as a list, in the order in which the entity names its fields.
pub(super) fn fields(entity: &impl Entity) -> Vec<(&'static str, Value)> {
    let mut row = Row::default();
    entity.write(&mut row);
    row.0
}

#[derive(Default)]
struct Row(Vec<(&'static str, Value)>);

impl FieldSink for Row {
    fn text(&mut self, name: &'static str, text: &str) {
        self.0.push((name, text.into()));
    }

    fn texts(&mut self, name: &'static str, texts: &[&str]) {
        self.0.push((name, texts.into()));
    }

    fn time(&mut self, name: &'static str, at: Timestamp) {
        self.0.push((name, moment(at).into()));
    }

    fn hundredths(&mut self, name: &'static str, hundredths: i64) {
        let quantity = Quantity::from_hundredths(hundredths).map_or(Value::Null, number);
        self.0.push((name, quantity));
    }

    fn count(&mut self, name: &'static str, count: u64) {
        self.0.push((name, count.into()));
    }

    fn flag(&mut self, name: &'static str, flag: bool) {
        self.0.push((name, flag.into()));
    }

    fn absent(&mut self, name: &'static str) {
        self.0.push((name, Value::Null));
    }
}

/// Somebody's own account, without what proves who they are.
pub(super) fn user(user: &User) -> Value {
    json!({
        "id": user.id.to_string(),
        "email": user.email.as_str(),
        "name": user.name.as_str(),
        "timeZone": user.zone.as_ref().map(Zone::name),
        "language": user.language.map(Language::tag),
        "createdAt": moment(user.created_at),
    })
}

/// The invite code opens the household, so it is the admins'.
pub(super) fn household(household: &Household, is_admin: bool) -> Value {
    let mut row = entity(household);
    if !is_admin {
        row["inviteCode"] = Value::Null;
    }
    row
}

pub(super) fn item(item: &Item, history: Vec<Value>) -> Value {
    let mut row = entity(item);
    row["history"] = Value::Array(history);
    row
}

pub(super) fn change(change: &ItemChange) -> Value {
    json!({
        "at": moment(change.at),
        "by": change.by.map(|user| user.to_string()),
        "old": change.versions.old.as_ref().map(entity),
        "new": change.versions.new.as_ref().map(entity),
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
