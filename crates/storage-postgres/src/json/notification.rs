//! Notifications.

use larder_domain::{
    Acknowledgement, ExpirationDate, ItemName, Notification, NotificationKind, NotificationSubject,
    Quantity, Unit,
};
use larder_storage::Result;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::fields::{corrupt, number, parse, read, read_optional, time};

/// A notification. The numbers are those of low stock, the date is that of the other kinds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NotificationJson {
    id: String,
    household_id: String,
    item_id: String,
    item_name: String,
    kind: String,
    expires_on: Option<String>,
    quantity: Option<Box<RawValue>>,
    threshold: Option<Box<RawValue>>,
    unit: Option<String>,
    created_at: String,
    acknowledged_by: Option<String>,
    acknowledged_at: Option<String>,
    resolved_at: Option<String>,
}

impl NotificationJson {
    pub(crate) fn of(notification: &Notification) -> Self {
        let (quantity, threshold, unit) = match &notification.subject {
            NotificationSubject::LowStock { quantity, threshold, unit } => {
                (Some(number(*quantity)), Some(number(*threshold)), Some(unit.to_string()))
            }
            NotificationSubject::ExpiringSoon(_) | NotificationSubject::Expired(_) => {
                (None, None, None)
            }
        };
        Self {
            id: notification.id.to_string(),
            household_id: notification.household.to_string(),
            item_id: notification.item.to_string(),
            item_name: notification.item_name.to_string(),
            kind: notification.subject.kind().as_str().to_owned(),
            expires_on: notification.subject.date().map(|date| date.to_string()),
            quantity,
            threshold,
            unit,
            created_at: time(notification.created_at),
            acknowledged_by: notification.acknowledged.map(|seen| seen.by.to_string()),
            acknowledged_at: notification.acknowledged.map(|seen| time(seen.at)),
            resolved_at: notification.resolved_at.map(time),
        }
    }

    pub(crate) fn into_notification(self) -> Result<Notification> {
        let acknowledged_by = read_optional("acknowledged_by", self.acknowledged_by.as_deref())?;
        let acknowledged_at = read_optional("acknowledged_at", self.acknowledged_at.as_deref())?;
        let acknowledged = match (acknowledged_by, acknowledged_at) {
            (None, None) => None,
            (Some(by), Some(at)) => Some(Acknowledgement { by, at }),
            _ => return Err(corrupt("acknowledged_at", "is known by halves")),
        };
        Ok(Notification {
            id: read("id", &self.id)?,
            household: read("household_id", &self.household_id)?,
            item: read("item_id", &self.item_id)?,
            item_name: parse("item_name", &self.item_name, ItemName::parse)?,
            subject: self.subject()?,
            created_at: read("created_at", &self.created_at)?,
            acknowledged,
            resolved_at: read_optional("resolved_at", self.resolved_at.as_deref())?,
        })
    }

    fn subject(&self) -> Result<NotificationSubject> {
        let quantity = |column: &str, number: Option<&RawValue>| {
            parse(column, number.map_or("", RawValue::get), Quantity::parse)
        };
        let date = || {
            let text = self.expires_on.as_deref().unwrap_or_default();
            parse("expires_on", text, ExpirationDate::parse)
        };
        let kind =
            NotificationKind::parse(&self.kind).ok_or_else(|| corrupt("kind", &self.kind))?;
        Ok(match kind {
            NotificationKind::LowStock => NotificationSubject::LowStock {
                quantity: quantity("quantity", self.quantity.as_deref())?,
                threshold: quantity("threshold", self.threshold.as_deref())?,
                unit: parse("unit", self.unit.as_deref().unwrap_or_default(), Unit::parse)?,
            },
            NotificationKind::ExpiringSoon => NotificationSubject::ExpiringSoon(date()?),
            NotificationKind::Expired => NotificationSubject::Expired(date()?),
        })
    }
}
