//! Notifications of a household. There are none in individual mode.

use larder_domain::{
    Channel, Notification, NotificationFilter, NotificationId, NotificationPosition,
};
use larder_storage::{Acknowledge, IdempotencyClaim, Page};

use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// Over which channels notifications leave the house.
    pub fn channels(&self) -> &[Channel] {
        &self.settler.channels
    }

    /// A page of notifications, newest first.
    pub async fn notifications(
        &self,
        caller: &Caller,
        filter: NotificationFilter,
        after: Option<&NotificationPosition>,
        limit: usize,
    ) -> Result<Page<Notification, NotificationPosition>> {
        match authorize::find_household(caller) {
            Some(scope) => Ok(self.storage.list_notifications(scope, filter, after, limit).await?),
            None => Ok(Page::EMPTY),
        }
    }

    /// The number of unacknowledged notifications, up to `most`.
    pub async fn count_active_notifications(&self, caller: &Caller, most: usize) -> Result<usize> {
        match authorize::find_household(caller) {
            Some(scope) => Ok(self.storage.count_active_notifications(scope, most).await?),
            None => Ok(0),
        }
    }

    /// Acknowledges a notification. Idempotent.
    pub async fn acknowledge_notification(
        &self,
        caller: &Caller,
        id: NotificationId,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Notification> {
        let scope = authorize::find_household(caller).ok_or(AppError::NotificationNotFound)?;
        match self.storage.acknowledge_notification(scope, id, self.write(claim)).await? {
            Acknowledge::Done(notification) => Ok(notification),
            Acknowledge::NotFound => Err(AppError::NotificationNotFound),
            Acknowledge::Resolved(notification) => {
                Err(AppError::NotificationResolved(Box::new(notification)))
            }
        }
    }
}
