//! Notifications of a household: opened and resolved in `settle`, sent in `deliveries`. Expired
//! ones are filtered out, swept or not.

mod deliveries;
mod listing;
mod row;
mod settle;

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Acknowledgement, Notification, NotificationFilter, NotificationId, NotificationPosition,
    NotificationStatus, NotificationTopic,
};
use larder_storage::{
    Acknowledge, Attempt, Audience, Delivery, HouseholdScope, Notifications, Page, Result,
    SettleNotifications, SystemScope, Write, WriteKind,
};
use row::{NotificationRow, select_notifications};

use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, ids::uuid,
    transaction::Transaction, types::Instant,
};

#[async_trait]
impl Notifications for PostgresStore {
    async fn list_notifications(
        &self,
        scope: HouseholdScope,
        filter: NotificationFilter,
        after: Option<&NotificationPosition>,
        limit: usize,
    ) -> Result<Page<Notification, NotificationPosition>> {
        self.retry(|| async move {
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
                one_more(limit),
            )
            .fetch_all(&mut transaction)
            .await?;
            let rows = rows.into_iter().map(NotificationRow::into_notification);
            Ok(Page::cut(rows.collect::<Result<_>>()?, limit, NotificationPosition::of))
        })
        .await
    }

    async fn count_active_notifications(
        &self,
        scope: HouseholdScope,
        most: usize,
    ) -> Result<usize> {
        self.retry(|| async move {
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
        })
        .await
    }

    async fn find_notification(
        &self,
        scope: SystemScope,
        id: NotificationId,
    ) -> Result<Option<Notification>> {
        self.retry(|| async move {
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
        })
        .await
    }

    async fn acknowledge_notification(
        &self,
        scope: HouseholdScope,
        id: NotificationId,
        write: Write<'_>,
    ) -> Result<Acknowledge> {
        self.retry_change(uuid(scope.household()), || async move {
            let context = Context::of_member(scope).at(write.at);
            let mut transaction = self.database.write(&context).await?;
            transaction.claim(scope.actor(), write).await?;
            let row = select_notifications!(
                "WHERE household_id = $1 AND id = $2 AND (forget_at IS NULL OR forget_at > $3)
                 FOR NO KEY UPDATE",
                uuid(scope.household()),
                uuid(id),
                Instant(write.at) as _,
            )
            .fetch_optional(&mut transaction)
            .await?;
            let Some(row) = row else { return Ok(Acknowledge::NotFound) };
            // Its state only moves forward: the first acknowledgement is kept, and a resolved
            // notification stays resolved.
            let mut notification = row.into_notification()?;
            if notification.acknowledged.is_none() {
                if !notification.is_open() {
                    return Ok(Acknowledge::Resolved(notification));
                }
                let acknowledgement = Acknowledgement { by: scope.actor(), at: write.at };
                transaction.keep_acknowledgement(id, acknowledgement).await?;
                notification.acknowledged = Some(acknowledgement);
            }
            let kind = WriteKind::NOTIFICATION_ACKNOWLEDGED;
            transaction.commit_with(scope.actor(), write, kind, &notification).await?;
            Ok(Acknowledge::Done(notification))
        })
        .await
    }

    async fn settle_notifications(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Option<Notification>> {
        let settled = self.retry(|| self.settle(scope, settle)).await?;
        if settled.has_changed {
            self.live.changed(uuid(scope.household()));
        }
        Ok(settled.opened)
    }

    async fn topics_to_settle(
        &self,
        scope: SystemScope,
        until: Date,
    ) -> Result<Vec<NotificationTopic>> {
        self.retry(|| self.topics_of_the_day(scope, until)).await
    }

    async fn find_audience(&self, scope: SystemScope) -> Result<Option<Audience>> {
        self.retry(|| self.audience(scope)).await
    }

    async fn due_deliveries(&self, now: Timestamp, limit: usize) -> Result<Vec<Delivery>> {
        self.retry(|| self.deliveries_due(now, limit)).await
    }

    async fn record_attempt(&self, delivery: &Delivery, attempt: &Attempt) -> Result<()> {
        self.retry(|| self.remember_attempt(delivery, attempt)).await
    }

    async fn dead_letters(&self, limit: usize) -> Result<Vec<Delivery>> {
        self.retry(|| self.deliveries_dead(self.clock.now(), limit)).await
    }

    async fn revive_dead_letters(&self, now: Timestamp) -> Result<u64> {
        self.retry(|| self.revive(now)).await
    }
}

impl Transaction {
    /// Stores the acknowledgement of a locked notification.
    async fn keep_acknowledgement(
        &mut self,
        id: NotificationId,
        acknowledgement: Acknowledgement,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE notifications SET acknowledged_by = $2, acknowledged_at = $3 WHERE id = $1",
            uuid(id),
            uuid(acknowledgement.by),
            Instant(acknowledgement.at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
