//! Rows of `notifications` as notifications.

use larder_domain::{
    Acknowledgement, ExpirationDate, ItemName, Notification, NotificationKind, NotificationSubject,
    Quantity, Unit,
};
use larder_storage::{Result, StorageError};
use uuid::Uuid;

use crate::{
    ids::domain_id,
    items::misfit,
    types::{Day, Instant},
};

/// A row, with quantities in hundredths.
#[derive(Debug)]
pub(super) struct NotificationRow {
    pub(super) id: Uuid,
    pub(super) household_id: Uuid,
    pub(super) item_id: Uuid,
    pub(super) product_id: Option<Uuid>,
    pub(super) item_name: String,
    pub(super) kind: String,
    pub(super) expires_on: Option<Day>,
    pub(super) quantity: Option<i64>,
    pub(super) threshold: Option<i64>,
    pub(super) unit: Option<String>,
    pub(super) created_at: Instant,
    pub(super) acknowledged_by: Option<Uuid>,
    pub(super) acknowledged_at: Option<Instant>,
    pub(super) resolved_at: Option<Instant>,
    pub(super) listed_at: Option<Instant>,
}

/// `query_as!` with the columns of a [`NotificationRow`] before a piece of SQL.
macro_rules! select_notifications {
    ($after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::notifications::row::NotificationRow,
            r#"SELECT id, household_id, item_id, product_id, item_name, kind,
                   expires_on AS "expires_on: crate::types::Day",
                   (quantity * 100)::bigint AS quantity, (threshold * 100)::bigint AS threshold,
                   unit, created_at AS "created_at: crate::types::Instant", acknowledged_by,
                   acknowledged_at AS "acknowledged_at: crate::types::Instant",
                   resolved_at AS "resolved_at: crate::types::Instant",
                   listed_at AS "listed_at: crate::types::Instant"
               FROM notifications "#
                + $after
            $(, $argument)*
        )
    };
}

pub(super) use select_notifications;

impl NotificationRow {
    pub(super) fn into_notification(self) -> Result<Notification> {
        let subject = self.subject()?;
        let item_name = ItemName::parse_stored(&self.item_name)
            .map_err(|reason| self.misfit("item_name", &reason.to_string()))?;
        let acknowledged = self
            .acknowledged_by
            .zip(self.acknowledged_at)
            .map(|(by, at)| Acknowledgement { by: domain_id(by), at: at.0 });
        Ok(Notification {
            id: domain_id(self.id),
            household: domain_id(self.household_id),
            item: domain_id(self.item_id),
            product: self.product_id.map(domain_id),
            item_name,
            subject,
            created_at: self.created_at.0,
            acknowledged,
            resolved_at: self.resolved_at.map(|at| at.0),
            listed_at: self.listed_at.map(|at| at.0),
        })
    }

    fn subject(&self) -> Result<NotificationSubject> {
        let kind =
            NotificationKind::parse(&self.kind).ok_or_else(|| self.misfit("kind", "is unknown"))?;
        Ok(match kind {
            NotificationKind::LowStock => {
                let unit = self.unit.as_deref().ok_or_else(|| self.misfit("unit", "is missing"))?;
                NotificationSubject::LowStock {
                    quantity: self.hundredths("quantity", self.quantity)?,
                    threshold: self.hundredths("threshold", self.threshold)?,
                    unit: Unit::parse(unit)
                        .map_err(|reason| self.misfit("unit", &reason.to_string()))?,
                }
            }
            NotificationKind::ExpiringSoon => NotificationSubject::ExpiringSoon(self.date()?),
            NotificationKind::Expired => NotificationSubject::Expired(self.date()?),
        })
    }

    fn date(&self) -> Result<ExpirationDate> {
        let day = self.expires_on.ok_or_else(|| self.misfit("expires_on", "is missing"))?;
        ExpirationDate::parse(&day.0.to_string())
            .map_err(|reason| self.misfit("expires_on", &reason.to_string()))
    }

    fn hundredths(&self, column: &str, number: Option<i64>) -> Result<Quantity> {
        let hundredths = number.ok_or_else(|| self.misfit(column, "is missing"))?;
        Quantity::from_hundredths(hundredths)
            .map_err(|reason| self.misfit(column, &reason.to_string()))
    }

    fn misfit(&self, column: &str, reason: &str) -> StorageError {
        misfit(format!("notifications {}", self.id), column, reason)
    }
}
