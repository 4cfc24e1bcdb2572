//! Notifications as the API shows them.

use larder_domain::{
    ExpirationDate, HouseholdId, ItemId, Notification, NotificationId, NotificationSubject,
    ProductId, UserId,
};
use larder_http::Hundredths;
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// A notification about an item or a product.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notification)]
pub(crate) struct NotificationDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    notification_id: NotificationId,
    /// The household.
    #[schema(value_type = String, format = "uuid")]
    family_id: HouseholdId,
    /// The item; for low stock, the oldest lot at that time.
    #[schema(value_type = String, format = "uuid")]
    item_id: ItemId,
    /// The product, for low stock: all of its lots together are low.
    #[schema(value_type = Option<String>, format = "uuid")]
    product_id: Option<ProductId>,
    /// The name of the item at that time.
    item_name: &'a str,
    /// `low_stock`, `expiring_soon` or `expired`.
    kind: &'static str,
    /// `active`, `acknowledged` or `resolved`.
    status: &'static str,
    /// The expiration date; null for low stock.
    #[schema(value_type = Option<String>, format = Date)]
    expiration_date: Option<ExpirationDate>,
    /// The quantity at that time; only for low stock, otherwise null.
    #[schema(value_type = Option<f64>)]
    quantity: Option<Hundredths>,
    /// The low-stock threshold at that time; only for low stock, otherwise null.
    #[schema(value_type = Option<f64>)]
    threshold: Option<Hundredths>,
    /// The unit of both; only for low stock, otherwise null.
    unit: Option<&'a str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it was acknowledged.
    #[schema(value_type = Option<String>, format = DateTime)]
    acknowledged_at: Option<Time>,
    #[schema(value_type = Option<String>, format = "uuid")]
    acknowledged_by: Option<UserId>,
    /// When it no longer applied.
    #[schema(value_type = Option<String>, format = DateTime)]
    resolved_at: Option<Time>,
}

impl<'a> NotificationDto<'a> {
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
            product_id: notification.product,
            item_name: notification.item_name.as_str(),
            kind: notification.subject.kind().as_str(),
            status: notification.status().as_str(),
            expiration_date: notification.subject.date(),
            quantity,
            threshold,
            unit,
            created_at: Time(notification.created_at),
            acknowledged_at: notification.acknowledged.map(|seen| seen.at).map(Time),
            acknowledged_by: notification.acknowledged.map(|seen| seen.by),
            resolved_at: notification.resolved_at.map(Time),
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
            product: None,
            item_name: ItemName::parse("Milk").unwrap(),
            subject,
            created_at: "2026-03-01T08:00:00Z".parse().unwrap(),
            acknowledged: None,
            resolved_at: None,
            listed_at: None,
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
                "productId": null,
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
