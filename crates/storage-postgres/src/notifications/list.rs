//! Reading notifications. Expired ones are filtered out, swept or not.

use larder_domain::{
    Notification, NotificationFilter, NotificationId, NotificationPosition, NotificationStatus,
};
use larder_storage::{HouseholdScope, Page, Result, SystemScope};

use super::row::{NotificationRow, select_notifications};
use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid, types::Instant};

impl PostgresStore {
    pub(super) async fn notifications_page(
        &self,
        scope: HouseholdScope,
        filter: NotificationFilter,
        after: Option<&NotificationPosition>,
        limit: usize,
    ) -> Result<Page<Notification, NotificationPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let rows = select_notifications!(
            "WHERE household_id = $1
             AND (created_at, id) < (
                 COALESCE($2, 'infinity'::timestamptz),
                 COALESCE($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
             AND CASE
                 WHEN resolved_at IS NOT NULL THEN $6 AND forget_at > $7
                 WHEN acknowledged_at IS NOT NULL THEN $5
                 ELSE $4::boolean
             END
             ORDER BY created_at DESC, id DESC LIMIT $8",
            uuid(scope.household()),
            after.map(|position| Instant(position.created_at)) as _,
            after.map(|position| uuid(position.id)),
            filter.matches(NotificationStatus::Active),
            filter.matches(NotificationStatus::Acknowledged),
            filter.matches(NotificationStatus::Resolved),
            Instant(self.clock.now()) as _,
            i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1,
        )
        .fetch_all(&mut transaction)
        .await?;
        let rows = rows.into_iter().map(NotificationRow::into_notification);
        Ok(Page::cut(rows.collect::<Result<_>>()?, limit, NotificationPosition::of))
    }

    pub(super) async fn active_notifications(
        &self,
        scope: HouseholdScope,
        most: usize,
    ) -> Result<usize, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let count = sqlx::query_scalar!(
            "SELECT count(*) AS \"count!\" FROM (
                 SELECT FROM notifications
                 WHERE household_id = $1 AND resolved_at IS NULL AND acknowledged_at IS NULL
                 LIMIT $2
             ) AS active",
            uuid(scope.household()),
            i64::try_from(most).unwrap_or(i64::MAX),
        )
        .fetch_one(&mut transaction)
        .await?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    pub(super) async fn notification(
        &self,
        scope: SystemScope,
        id: NotificationId,
    ) -> Result<Option<Notification>, Failure> {
        let mut transaction = self.database.read(&Context::of_system(scope)).await?;
        let row = select_notifications!(
            "WHERE household_id = $1 AND id = $2 AND (forget_at IS NULL OR forget_at > $3)",
            uuid(scope.household()),
            uuid(id),
            Instant(self.clock.now()) as _,
        )
        .fetch_optional(&mut transaction)
        .await?;
        Ok(row.map(NotificationRow::into_notification).transpose()?)
    }
}
