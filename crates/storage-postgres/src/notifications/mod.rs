//! Notifications of a household: opened and resolved in `settle`, sent in `deliveries`.

mod acknowledge;
mod deliveries;
mod list;
mod row;
mod settle;

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    ItemId, Notification, NotificationFilter, NotificationId, NotificationPosition,
};
use larder_storage::{
    Acknowledge, Attempt, Audience, Delivery, HouseholdScope, Notifications, Page, Result,
    SettleNotifications, SystemScope, Write,
};

use crate::{PostgresStore, ids::uuid};

#[async_trait]
impl Notifications for PostgresStore {
    async fn list_notifications(
        &self,
        scope: HouseholdScope,
        filter: NotificationFilter,
        after: Option<&NotificationPosition>,
        limit: usize,
    ) -> Result<Page<Notification, NotificationPosition>> {
        self.database.retry(|| self.notifications_page(scope, filter, after, limit)).await
    }

    async fn count_active_notifications(
        &self,
        scope: HouseholdScope,
        most: usize,
    ) -> Result<usize> {
        self.database.retry(|| self.active_notifications(scope, most)).await
    }

    async fn find_notification(
        &self,
        scope: SystemScope,
        id: NotificationId,
    ) -> Result<Option<Notification>> {
        self.database.retry(|| self.notification(scope, id)).await
    }

    async fn acknowledge_notification(
        &self,
        scope: HouseholdScope,
        id: NotificationId,
        write: Write<'_>,
    ) -> Result<Acknowledge> {
        let outcome = self.database.retry(|| self.acknowledge(scope, id, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(outcome)
    }

    async fn settle_notifications(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Vec<Notification>> {
        let settled = self.database.retry(|| self.settle(scope, settle)).await?;
        if settled.has_changed {
            self.live.changed(uuid(scope.household()));
        }
        Ok(settled.opened)
    }

    async fn items_to_settle(&self, scope: SystemScope, until: Date) -> Result<Vec<ItemId>> {
        self.database.retry(|| self.items_of_the_day(scope, until)).await
    }

    async fn find_audience(&self, scope: SystemScope) -> Result<Option<Audience>> {
        self.database.retry(|| self.audience(scope)).await
    }

    async fn due_deliveries(&self, now: Timestamp, limit: usize) -> Result<Vec<Delivery>> {
        self.database.retry(|| self.deliveries_due(now, limit)).await
    }

    async fn record_attempt(&self, delivery: &Delivery, attempt: &Attempt) -> Result<()> {
        self.database.retry(|| self.remember_attempt(delivery, attempt)).await
    }

    async fn dead_letters(&self, limit: usize) -> Result<Vec<Delivery>> {
        self.database.retry(|| self.deliveries_dead(self.clock.now(), limit)).await
    }

    async fn revive_dead_letters(&self, now: Timestamp) -> Result<u64> {
        self.database.retry(|| self.revive(now)).await
    }
}
