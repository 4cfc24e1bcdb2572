//! Acknowledging a notification. Its state only moves forward: the first acknowledgement is kept,
//! and a resolved notification stays resolved.

use larder_domain::{Acknowledgement, NotificationId};
use larder_storage::{Acknowledge, HouseholdScope, Result, Write, WriteKind};

use super::row::select_notifications;
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn acknowledge(
        &self,
        scope: HouseholdScope,
        id: NotificationId,
        write: Write<'_>,
    ) -> Result<Acknowledge, Failure> {
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
        let mut notification = row.into_notification()?;
        if notification.acknowledged.is_none() {
            if !notification.is_open() {
                return Ok(Acknowledge::Resolved(notification));
            }
            let acknowledgement = Acknowledgement { by: scope.actor(), at: write.at };
            transaction.keep_acknowledgement(id, acknowledgement).await?;
            notification.acknowledged = Some(acknowledgement);
        }
        transaction
            .commit_with(scope.actor(), write, WriteKind::NOTIFICATION_ACKNOWLEDGED, &notification)
            .await?;
        Ok(Acknowledge::Done(notification))
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
