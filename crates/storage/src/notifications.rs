//! Notifications, and their deliveries.

use std::collections::HashSet;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp, civil::Date};
use larder_domain::{
    Channel, Household, HouseholdId, Member, Notification, NotificationFilter, NotificationId,
    NotificationPosition, NotificationTopic, Occasion, ShoppingItemId, UserId, first_delivery_at,
};

use crate::{HouseholdScope, Page, Result, SystemScope, Write};

/// How long a dead letter is kept.
pub const DEAD_LETTER_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The result of acknowledging a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acknowledge {
    /// It was, now or before.
    Done(Notification),
    /// There is no such notification.
    NotFound,
    /// It was resolved before anyone acknowledged it.
    Resolved(Notification),
}

/// How to bring the notifications of one topic in line with the stock.
#[derive(Debug, Clone, Copy)]
pub struct SettleNotifications<'a> {
    /// The topic.
    pub topic: NotificationTopic,
    /// The household's local date.
    pub today: Date,
    /// Why.
    pub occasion: Occasion,
    /// The id of a notification about stock, if one is opened.
    pub fresh_id: NotificationId,
    /// The id of the entry, if something goes on the shopping list.
    pub entry_id: ShoppingItemId,
    /// The person whose change is settled; `None` if it is nobody's.
    pub by: Option<UserId>,
    /// The deliveries that a new notification gets, in the same transaction.
    pub channels: &'a [Channel],
    /// The time.
    pub at: Timestamp,
    /// When the household's next day begins.
    pub next_day: Timestamp,
}

impl SettleNotifications<'_> {
    /// When a new notification leaves over this channel.
    pub fn first_delivery_at(&self, channel: Channel) -> Timestamp {
        first_delivery_at(channel, self.topic, self.occasion, self.at, self.next_day)
    }
}

/// A notification on its way over one channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The household.
    pub household: HouseholdId,
    /// The notification.
    pub notification: NotificationId,
    /// Over which channel.
    pub channel: Channel,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is attempted next; for a dead letter, when it failed permanently.
    pub due_at: Timestamp,
    /// The last error, for the operator.
    pub last_error: Option<String>,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// It arrived: the delivery is forgotten.
    Delivered,
    /// It did not; try again then.
    RetryAt(Timestamp, String),
    /// Failed permanently: kept as a dead letter.
    Dead(Timestamp, String),
}

/// Whom a household's notifications concern.
#[derive(Debug, Clone, PartialEq)]
pub struct Audience {
    /// The household.
    pub household: Household,
    /// All members, in order of their ids.
    pub members: Vec<Member>,
    /// Those with confirmed addresses: only they get mail.
    pub confirmed: HashSet<UserId>,
}

/// Notifications of a household, and their deliveries.
#[async_trait]
pub trait Notifications: Send + Sync {
    /// A page of notifications, newest first. May lag behind writes where the engine's indexes do.
    async fn list_notifications(
        &self,
        scope: HouseholdScope,
        filter: NotificationFilter,
        after: Option<&NotificationPosition>,
        limit: usize,
    ) -> Result<Page<Notification, NotificationPosition>>;

    /// The number of unacknowledged notifications, up to `most`: one query, whatever else there is.
    /// May lag behind writes where the engine's indexes do.
    async fn count_active_notifications(&self, scope: HouseholdScope, most: usize)
    -> Result<usize>;

    /// The notification, as the last acknowledged write left it.
    async fn find_notification(
        &self,
        scope: SystemScope,
        id: NotificationId,
    ) -> Result<Option<Notification>>;

    /// Acknowledges it.
    async fn acknowledge_notification(
        &self,
        scope: HouseholdScope,
        id: NotificationId,
        write: Write<'_>,
    ) -> Result<Acknowledge>;

    /// Settles the notifications of one topic (`larder_domain::settle_dates`, `settle_stock`), and
    /// returns the new one. Concurrent changes that each call this afterwards leave the correct
    /// notifications, with no kind open twice. What is missing of a product that is low goes on the
    /// shopping list (`larder_domain::missing_stock`), once for each notification, unless an entry
    /// for one of its lots is still to be bought or the household has switched that off.
    async fn settle_notifications(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Option<Notification>>;

    /// The topics that a day's beginning may concern: items with a date up to `until`, products that
    /// are low, and those with an open notification; in order.
    async fn topics_to_settle(
        &self,
        scope: SystemScope,
        until: Date,
    ) -> Result<Vec<NotificationTopic>>;

    /// The recipients of the household's notifications. `None` if there is no such household.
    async fn find_audience(&self, scope: SystemScope) -> Result<Option<Audience>>;

    /// Deliveries that are due, of any household, the longest waiting first.
    async fn due_deliveries(&self, now: Timestamp, limit: usize) -> Result<Vec<Delivery>>;

    /// Records the result of an attempt. Does nothing if the delivery is gone, or was attempted
    /// concurrently (detected by `delivery.attempts`).
    async fn record_attempt(&self, delivery: &Delivery, attempt: &Attempt) -> Result<()>;

    /// Dead letters of any household, the oldest first. They are kept 30 days.
    async fn dead_letters(&self, limit: usize) -> Result<Vec<Delivery>>;

    /// Makes every dead letter due again, and returns their number.
    async fn revive_dead_letters(&self, now: Timestamp) -> Result<u64>;
}
