//! Notifications as the API shows them.

use jiff::Timestamp;
use larder_domain::{
    ExpirationDate, HouseholdId, ItemId, Notification, NotificationId, NotificationSubject, UserId,
};
use larder_http::Hundredths;
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::{as_optional_text, as_optional_time, as_text, as_time};

/// Something that the household should know of an item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notification)]
pub(crate) struct NotificationDto<'a> {
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    notification_id: NotificationId,
    /// The household.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    family_id: HouseholdId,
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    item_id: ItemId,
    /// What the item was called when this was said.
    item_name: &'a str,
    /// `low_stock`, `expiring_soon` or `expired`.
    kind: &'static str,
    /// `active`, `acknowledged` or `resolved`.
    status: &'static str,
    /// The date that comes near or has passed; null for low stock.
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = Date)]
    expiration_date: Option<ExpirationDate>,
    /// What was left when this was said; null unless for low stock.
    #[schema(value_type = Option<f64>)]
    quantity: Option<Hundredths>,
    /// What there should have been; null unless for low stock.
    #[schema(value_type = Option<f64>)]
    threshold: Option<Hundredths>,
    /// Measured in what; null unless for low stock.
    unit: Option<&'a str>,
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When somebody said that they saw it.
    #[serde(serialize_with = "as_optional_time")]
    #[schema(value_type = Option<String>, format = DateTime)]
    acknowledged_at: Option<Timestamp>,
    #[serde(serialize_with = "as_optional_text")]
    #[schema(value_type = Option<String>, format = "uuid")]
    acknowledged_by: Option<UserId>,
    /// Since when it is not so any more.
    #[serde(serialize_with = "as_optional_time")]
    #[schema(value_type = Option<String>, format = DateTime)]
    resolved_at: Option<Timestamp>,
}

impl<'a> NotificationDto<'a> {
    /// The notification as it is shown.
    pub(crate) fn of(notification: &'a Notification) -> Self {
        let (quantity, threshold, unit) = match &notification.subject {
            NotificationSubject::LowStock { quantity, threshold, unit } => {
                (Some((*quantity).into()), Some((*threshold).into()), Some(unit.as_str()))
            }
            NotificationSubject::ExpiringSoon(_) | NotificationSubject::Expired(_) => {
                (None, None, None)
            }
        };
        Self {
            notification_id: notification.id,
            family_id: notification.household,
            item_id: notification.item,
            item_name: notification.item_name.as_str(),
            kind: notification.subject.kind().as_str(),
            status: notification.status().as_str(),
            expiration_date: notification.subject.date(),
            quantity,
            threshold,
            unit,
            created_at: notification.created_at,
            acknowledged_at: notification.acknowledged.map(|seen| seen.at),
            acknowledged_by: notification.acknowledged.map(|seen| seen.by),
            resolved_at: notification.resolved_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{Acknowledgement, ItemName, Quantity, Unit};
    use serde_json::{json, to_value};

    use super::*;

    fn notification(subject: NotificationSubject) -> Notification {
        Notification {
            id: NotificationId::fixed(1),
            household: HouseholdId::fixed(2),
            item: ItemId::fixed(3),
            item_name: ItemName::parse("Milk").unwrap(),
            subject,
            created_at: "2026-03-01T08:00:00Z".parse().unwrap(),
            acknowledged: None,
            resolved_at: None,
        }
    }

    #[test]
    fn low_stock_shows_its_numbers_and_no_date() {
        let quantity = |text| Quantity::parse(text).unwrap();
        let shown = notification(NotificationSubject::LowStock {
            quantity: quantity("0.5"),
            threshold: quantity("2"),
            unit: Unit::parse("L").unwrap(),
        });
        assert_eq!(
            to_value(NotificationDto::of(&shown)).unwrap(),
            json!({
                "notificationId": NotificationId::fixed(1).to_string(),
                "familyId": HouseholdId::fixed(2).to_string(),
                "itemId": ItemId::fixed(3).to_string(),
                "itemName": "Milk",
                "kind": "low_stock",
                "status": "active",
                "expirationDate": null,
                "quantity": 0.5,
                "threshold": 2,
                "unit": "L",
                "createdAt": "2026-03-01T08:00:00.000Z",
                "acknowledgedAt": null,
                "acknowledgedBy": null,
                "resolvedAt": null,
            })
        );
    }

    #[test]
    fn a_date_is_shown_without_numbers_and_steps_with_their_times() {
        let date = ExpirationDate::parse("2026-03-02").unwrap();
        let mut shown = notification(NotificationSubject::ExpiringSoon(date));
        let at = "2026-03-01T09:00:00Z".parse().unwrap();
        shown.acknowledged = Some(Acknowledgement { by: UserId::fixed(4), at });
        let value = to_value(NotificationDto::of(&shown)).unwrap();
        assert_eq!(
            (&value["kind"], &value["status"]),
            (&json!("expiring_soon"), &json!("acknowledged"))
        );
        assert_eq!(
            (&value["expirationDate"], &value["quantity"]),
            (&json!("2026-03-02"), &json!(null))
        );
        assert_eq!(value["acknowledgedAt"], "2026-03-01T09:00:00.000Z");
        assert_eq!(value["acknowledgedBy"], UserId::fixed(4).to_string());
        shown.resolved_at = Some("2026-03-01T10:00:00Z".parse().unwrap());
        let value = to_value(NotificationDto::of(&shown)).unwrap();
        assert_eq!(
            (&value["status"], &value["resolvedAt"]),
            (&json!("resolved"), &json!("2026-03-01T10:00:00.000Z"))
        );
    }
}
