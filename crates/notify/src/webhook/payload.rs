//! The JSON that a webhook receives. `docs/notifications.md` describes it; fields are added, never changed.

use jiff::Timestamp;
use larder_app::Message;
use larder_domain::{
    HouseholdId, ItemId, Notification, NotificationId, NotificationSubject, Quantity, UserId,
};
use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::value::RawValue;

/// The only event so far.
pub(super) const EVENT: &str = "notification.opened";

/// The whole of it.
pub(super) struct Payload<'a>(&'a Message);

impl<'a> Payload<'a> {
    pub(super) const fn of(message: &'a Message) -> Self {
        Self(message)
    }
}

impl Serialize for Payload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Message { delivery_id, notification, household, sent_at, recipients: _ } = self.0;
        let mut payload = serializer.serialize_struct("Payload", 5)?;
        payload.serialize_field("event", EVENT)?;
        payload.serialize_field("deliveryId", delivery_id)?;
        payload.serialize_field("sentAt", &time(*sent_at))?;
        let household = HouseholdPart { id: household.id, name: household.name.as_str() };
        payload.serialize_field("household", &household)?;
        payload.serialize_field("notification", &NotificationPart::of(notification))?;
        payload.end()
    }
}

#[derive(Serialize)]
struct HouseholdPart<'a> {
    #[serde(serialize_with = "as_text")]
    id: HouseholdId,
    name: &'a str,
}

/// As `GET /notifications` shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NotificationPart<'a> {
    #[serde(serialize_with = "as_text")]
    notification_id: NotificationId,
    #[serde(serialize_with = "as_text")]
    family_id: HouseholdId,
    #[serde(serialize_with = "as_text")]
    item_id: ItemId,
    product_id: Option<String>,
    item_name: &'a str,
    kind: &'static str,
    status: &'static str,
    expiration_date: Option<String>,
    quantity: Option<Box<RawValue>>,
    threshold: Option<Box<RawValue>>,
    unit: Option<&'a str>,
    created_at: String,
    acknowledged_at: Option<String>,
    acknowledged_by: Option<String>,
    resolved_at: Option<String>,
}

impl<'a> NotificationPart<'a> {
    fn of(notification: &'a Notification) -> Self {
        let Notification { id, household, item, product, item_name, subject, .. } = notification;
        let (quantity, threshold, unit) = match subject {
            NotificationSubject::LowStock { quantity, threshold, unit } => {
                (number(*quantity), number(*threshold), Some(unit.as_str()))
            }
            NotificationSubject::ExpiringSoon(_) | NotificationSubject::Expired(_) => {
                (None, None, None)
            }
        };
        let acknowledged = notification.acknowledged;
        Self {
            notification_id: *id,
            family_id: *household,
            item_id: *item,
            product_id: product.map(|id| id.to_string()),
            item_name: item_name.as_str(),
            kind: subject.kind().as_str(),
            status: notification.status().as_str(),
            expiration_date: subject.date().map(|date| date.to_string()),
            quantity,
            threshold,
            unit,
            created_at: time(notification.created_at),
            acknowledged_at: acknowledged.map(|seen| time(seen.at)),
            acknowledged_by: acknowledged.map(|seen| UserId::to_string(&seen.by)),
            resolved_at: notification.resolved_at.map(time),
        }
    }
}

/// A quantity as its decimal digits, without floats.
fn number(quantity: Quantity) -> Option<Box<RawValue>> {
    RawValue::from_string(quantity.to_string()).ok()
}

/// A time in UTC with milliseconds.
fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}

fn as_text<S: Serializer>(value: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::samples;

    fn shown(message: &Message) -> Value {
        serde_json::from_str(&serde_json::to_string(&Payload::of(message)).unwrap()).unwrap()
    }

    #[test]
    fn low_stock_is_told_with_its_numbers() {
        let payload = shown(&samples::low_stock());
        assert_eq!(
            payload,
            json!({
                "event": "notification.opened",
                "deliveryId": "a-delivery",
                "sentAt": "2026-03-01T09:30:00.000Z",
                "household": { "id": samples::HOUSEHOLD, "name": "Home" },
                "notification": {
                    "notificationId": samples::NOTIFICATION,
                    "familyId": samples::HOUSEHOLD,
                    "itemId": samples::ITEM,
                    "productId": null,
                    "itemName": "りんご",
                    "kind": "low_stock",
                    "status": "active",
                    "expirationDate": null,
                    "quantity": 0.5,
                    "threshold": 2,
                    "unit": "kg",
                    "createdAt": "2026-03-01T09:29:58.250Z",
                    "acknowledgedAt": null,
                    "acknowledgedBy": null,
                    "resolvedAt": null,
                },
            })
        );
    }

    #[test]
    fn a_date_is_told_as_a_date() {
        let payload = shown(&samples::expired());
        let notification = &payload["notification"];
        assert_eq!(notification["kind"], "expired");
        assert_eq!(notification["expirationDate"], "2026-02-28");
        for absent in ["quantity", "threshold", "unit"] {
            assert_eq!(notification[absent], Value::Null, "{absent}");
        }
    }

    #[test]
    fn nobodys_address_is_told() {
        assert!(!shown(&samples::low_stock()).to_string().contains('@'));
    }
}
