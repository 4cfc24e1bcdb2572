//! Notifications, and getting them to people who are not looking.

use std::collections::HashSet;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp, civil::Date};
use larder_domain::{
    Channel, Household, HouseholdId, ItemId, Member, Notification, NotificationFilter,
    NotificationId, NotificationPosition, Occasion, UserId,
};

use crate::{HouseholdScope, Page, Result, SystemScope, Write};

/// How long a delivery that was given up is kept.
pub const DEAD_LETTER_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What came of saying that a notification was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acknowledge {
    /// It was, now or before.
    Done(Notification),
    /// There is no such notification.
    NotFound,
    /// It ended before anybody said so.
    Resolved(Notification),
}

/// How to bring the notifications of one item in line with it.
#[derive(Debug, Clone, Copy)]
pub struct SettleNotifications<'a> {
    /// The item; it need not exist any more.
    pub item: ItemId,
    /// The day where the household is.
    pub today: Date,
    /// Why.
    pub occasion: Occasion,
    /// The id of a notification about stock, if one is made.
    pub fresh_id: NotificationId,
    /// Which deliveries a new notification gets, in the same transaction.
    pub channels: &'a [Channel],
    /// When.
    pub at: Timestamp,
}

/// A notification on its way over one channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Whose.
    pub household: HouseholdId,
    /// Of what.
    pub notification: NotificationId,
    /// Over which channel.
    pub channel: Channel,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried next; of a dead one, when it was given up.
    pub due_at: Timestamp,
    /// What went wrong last, in words for the operator.
    pub last_error: Option<String>,
}

/// What an attempt came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// It arrived: the delivery is forgotten.
    Delivered,
    /// It did not; try again then.
    RetryAt(Timestamp, String),
    /// It did not, and never will: kept among the dead letters.
    Dead(Timestamp, String),
}

/// Whom a household's notifications concern.
#[derive(Debug, Clone, PartialEq)]
pub struct Audience {
    /// The household.
    pub household: Household,
    /// Everyone who belongs to it, in the order of their ids.
    pub members: Vec<Member>,
    /// Those of them who have confirmed their addresses: only they get mail.
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

    /// How many notifications nobody has acknowledged, counted up to `most`: one query, whatever else there is. May
    /// lag behind writes where the engine's indexes do.
    async fn count_active_notifications(&self, scope: HouseholdScope, most: usize)
    -> Result<usize>;

    /// The notification, as the last acknowledged write left it.
    async fn find_notification(
        &self,
        scope: SystemScope,
        id: NotificationId,
    ) -> Result<Option<Notification>>;

    /// Says that somebody saw it.
    async fn acknowledge_notification(
        &self,
        scope: HouseholdScope,
        id: NotificationId,
        write: Write<'_>,
    ) -> Result<Acknowledge>;

    /// Brings the notifications of one item in line with the item as it is (`larder_domain::settle`), and
    /// answers the new ones. Each judgement holds in the transaction that acts on it: whoever changes the item
    /// at the same moment and then calls this too leaves what is right, with no kind open twice.
    async fn settle_notifications(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Vec<Notification>>;

    /// The items that a day's beginning may concern: those with a date up to `until`, those that are low, and those
    /// with an open notification.
    async fn items_to_settle(&self, scope: SystemScope, until: Date) -> Result<Vec<ItemId>>;

    /// Whom the household's notifications concern. `None` if there is no such household.
    async fn find_audience(&self, scope: SystemScope) -> Result<Option<Audience>>;

    /// Deliveries that are due, of any household, the longest waiting first.
    async fn due_deliveries(&self, now: Timestamp, limit: usize) -> Result<Vec<Delivery>>;

    /// Remembers what an attempt came to, and that it was one. Does nothing if the delivery is gone, or was
    /// tried by somebody else meanwhile (`delivery.attempts` tells).
    async fn record_attempt(&self, delivery: &Delivery, attempt: &Attempt) -> Result<()>;

    /// Deliveries that were given up, of any household, the longest dead first. They are kept 30 days.
    async fn dead_letters(&self, limit: usize) -> Result<Vec<Delivery>>;

    /// Makes every dead letter due again, and answers how many there were.
    async fn revive_dead_letters(&self, now: Timestamp) -> Result<u64>;
}
