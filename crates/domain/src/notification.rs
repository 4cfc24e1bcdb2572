//! Notifications about items: low stock, and dates that are near or have passed.

use jiff::{SignedDuration, Timestamp, civil::Date};
use thiserror::Error;

use crate::{
    ExpirationDate, ExpirationStatus, HouseholdId, Item, ItemDetails, ItemId, ItemName,
    NotificationId, Product, ProductId, Quantity, StockLevel, Unit, UserId,
    entity::{Field, FieldError, FieldSink, FieldSource, entity, required},
};

/// How long a resolved notification is kept.
pub const RESOLVED_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The subject of a notification. Its quantities are as they were when it was settled last: while
/// it is open, those of now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationSubject {
    /// All lots of the product together are below its threshold.
    LowStock {
        /// Their sum.
        quantity: Quantity,
        /// The threshold.
        threshold: Quantity,
        /// The unit of both.
        unit: Unit,
    },
    /// The date is today or within three days.
    ExpiringSoon(ExpirationDate),
    /// The date has passed.
    Expired(ExpirationDate),
}

/// The kind of a notification. A product has at most one open one about its stock, an item at most
/// one open one of each other kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NotificationKind {
    /// [`NotificationSubject::LowStock`].
    LowStock,
    /// [`NotificationSubject::ExpiringSoon`].
    ExpiringSoon,
    /// [`NotificationSubject::Expired`].
    Expired,
}

impl NotificationKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::LowStock, Self::ExpiringSoon, Self::Expired];

    /// The word for it in API and records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LowStock => "low_stock",
            Self::ExpiringSoon => "expiring_soon",
            Self::Expired => "expired",
        }
    }

    /// The kind with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

impl NotificationSubject {
    /// Its kind.
    pub const fn kind(&self) -> NotificationKind {
        match self {
            Self::LowStock { .. } => NotificationKind::LowStock,
            Self::ExpiringSoon(_) => NotificationKind::ExpiringSoon,
            Self::Expired(_) => NotificationKind::Expired,
        }
    }

    /// The date it is about.
    pub const fn date(&self) -> Option<ExpirationDate> {
        match self {
            Self::LowStock { .. } => None,
            Self::ExpiringSoon(date) | Self::Expired(date) => Some(*date),
        }
    }

    /// Whether it is about the same, whatever the quantities were.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.date() == other.date()
    }
}

/// The status of a notification. It only moves forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NotificationStatus {
    /// Not acknowledged.
    Active,
    /// Acknowledged by a member.
    Acknowledged,
    /// No longer justified.
    Resolved,
}

/// The text names no status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be active, acknowledged or resolved")]
pub struct UnknownNotificationStatus;

impl NotificationStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Active, Self::Acknowledged, Self::Resolved];

    /// The word for it in API and records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Acknowledged => "acknowledged",
            Self::Resolved => "resolved",
        }
    }

    /// The status with this name.
    pub fn parse(text: &str) -> Result<Self, UnknownNotificationStatus> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or(UnknownNotificationStatus)
    }
}

/// An acknowledgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acknowledgement {
    /// The member.
    pub by: UserId,
    /// The time.
    pub at: Timestamp,
}

/// A notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Its id.
    pub id: NotificationId,
    /// For whom.
    pub household: HouseholdId,
    /// The item; if it is about stock, the oldest lot of the product at that time.
    pub item: ItemId,
    /// The product, if it is about stock. Those from before there were products have none until
    /// their store is brought up to date.
    pub product: Option<ProductId>,
    /// Its name at that time.
    pub item_name: ItemName,
    /// The subject.
    pub subject: NotificationSubject,
    /// When it was created.
    pub created_at: Timestamp,
    /// The first acknowledgement.
    pub acknowledged: Option<Acknowledgement>,
    /// When it ended.
    pub resolved_at: Option<Timestamp>,
    /// When what is missing was put on the shopping list, or was found there: once for each
    /// notification, whatever becomes of the entry.
    pub listed_at: Option<Timestamp>,
}

entity! {
    Notification {
        id: "notificationId",
        household: "householdId",
        item: "itemId",
        product: "productId",
        item_name: "itemName",
        subject: "kind",
        created_at: "createdAt",
        acknowledged: "acknowledged",
        resolved_at: "resolvedAt",
        listed_at: "listedAt",
    }
}

/// Each kind has fields of its own; those of the others are absent.
impl Field for NotificationSubject {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.text(name, self.kind().as_str());
        let (quantity, threshold, unit, date) = match self {
            Self::LowStock { quantity, threshold, unit } => {
                (Some(*quantity), Some(*threshold), Some(unit.clone()), None)
            }
            Self::ExpiringSoon(date) | Self::Expired(date) => (None, None, None, Some(*date)),
        };
        quantity.write("quantity", to);
        threshold.write("threshold", to);
        unit.write("unit", to);
        date.write("expirationDate", to);
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let Some(kind) = from.text(name)? else { return Ok(None) };
        let kind = NotificationKind::parse(&kind);
        let kind = kind.ok_or_else(|| FieldError::new(name, "is no known kind"))?;
        let date = || required("expirationDate", from);
        Ok(Some(match kind {
            NotificationKind::LowStock => Self::LowStock {
                quantity: required("quantity", from)?,
                threshold: required("threshold", from)?,
                unit: required("unit", from)?,
            },
            NotificationKind::ExpiringSoon => Self::ExpiringSoon(date()?),
            NotificationKind::Expired => Self::Expired(date()?),
        }))
    }
}

/// Time and user are separate fields.
impl Field for Acknowledgement {
    fn write(&self, _: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        let Self { by, at } = self;
        by.write("acknowledgedBy", to);
        at.write("acknowledgedAt", to);
    }

    fn write_absent(_: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.absent("acknowledgedBy");
        to.absent("acknowledgedAt");
    }

    fn read(
        _: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let Some(by) = UserId::read("acknowledgedBy", from)? else { return Ok(None) };
        Ok(Some(Self { by, at: required("acknowledgedAt", from)? }))
    }
}

impl Notification {
    /// The topic that it belongs to.
    pub fn topic(&self) -> NotificationTopic {
        let product = self.product.map(NotificationTopic::Stock);
        product.unwrap_or(NotificationTopic::Dates(self.item))
    }

    /// Its status.
    pub const fn status(&self) -> NotificationStatus {
        match (self.resolved_at, self.acknowledged) {
            (Some(_), _) => NotificationStatus::Resolved,
            (None, Some(_)) => NotificationStatus::Acknowledged,
            (None, None) => NotificationStatus::Active,
        }
    }

    /// Whether it is still so.
    pub const fn is_open(&self) -> bool {
        self.resolved_at.is_none()
    }

    /// When it may be forgotten: some time after it ended, in whole seconds.
    pub fn expires_at(&self) -> Option<Timestamp> {
        let resolved = Timestamp::from_second(self.resolved_at?.as_second()).ok()?;
        resolved.checked_add(RESOLVED_LIFETIME).ok()
    }
}

/// The id of an item's one notification for a date: deterministic, so that it cannot be created
/// twice. `fresh` is the id of any other.
pub fn notification_id(
    item: ItemId,
    subject: &NotificationSubject,
    fresh: NotificationId,
) -> NotificationId {
    let Some(date) = subject.date() else { return fresh };
    // The item's random bits, changed by kind and day; the version bits of a UUID v4 stay.
    let mut bytes = *item.as_bytes();
    let date = date.date();
    let day = [
        date.year().to_be_bytes()[0],
        date.year().to_be_bytes()[1],
        date.month().cast_unsigned(),
        date.day().cast_unsigned(),
    ];
    bytes[15] ^= 1 + subject.kind() as u8;
    for (byte, moved) in bytes[11..15].iter_mut().zip(day) {
        *byte ^= moved;
    }
    NotificationId::from_bytes(bytes)
}

/// The id to go on with if `used` has named a notification about stock that is resolved by now.
pub fn next_fresh_id(used: NotificationId) -> NotificationId {
    let mut bytes = *used.as_bytes();
    bytes[15] = bytes[15].wrapping_add(1);
    NotificationId::from_bytes(bytes)
}

/// Whose notifications are brought in line with the stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NotificationTopic {
    /// The dates of an item, which need not exist any more.
    Dates(ItemId),
    /// The stock of a product, which need not exist any more.
    Stock(ProductId),
}

/// Why notifications are settled. What is so does not depend on it, but when people are told who
/// are not looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// Something was changed.
    Changed,
    /// A day has begun.
    DayBegan,
}

/// How long after the beginning of a day mails wait for it: until then what is no longer so was
/// resolved, and is not mailed.
const MORNING: SignedDuration = SignedDuration::from_mins(15);

/// When a new notification leaves over a channel. Whoever adds something that is due already has it
/// in their hands, and may be adding a whole cupboard: nobody is mailed about its date before the
/// next day begins.
pub fn first_delivery_at(
    channel: Channel,
    topic: NotificationTopic,
    occasion: Occasion,
    at: Timestamp,
    next_day: Timestamp,
) -> Timestamp {
    match (channel, topic, occasion) {
        (Channel::Mail, NotificationTopic::Dates(_), Occasion::Changed) => {
            next_day.saturating_add(MORNING).unwrap_or(next_day)
        }
        _ => at,
    }
}

/// The changes to the notifications of a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settlement {
    /// To be resolved.
    pub resolve: Vec<NotificationId>,
    /// Still so, but with other quantities now.
    pub restate: Option<(NotificationId, NotificationSubject)>,
    /// To be opened.
    pub open: Option<NotificationSubject>,
}

impl Settlement {
    fn of(truth: Option<NotificationSubject>, open: &[Notification]) -> Self {
        let is_so = |said: &Notification| {
            truth.as_ref().is_some_and(|truth| truth.is_same_as(&said.subject))
        };
        let open = || open.iter().filter(|said| said.is_open());
        let resolve = open().filter(|said| !is_so(said)).map(|said| said.id).collect();
        let still = open().find(|said| is_so(said));
        let restated = still.filter(|said| truth.as_ref().is_some_and(|it| *it != said.subject));
        let restate = restated.map(|said| said.id).zip(truth.clone());
        Self { resolve, restate, open: truth.filter(|_| still.is_none()) }
    }
}

/// The changes to an item's open notifications about its dates. `item` is `None` if it was deleted.
pub fn settle_dates(item: Option<&Item>, open: &[Notification], today: Date) -> Settlement {
    Settlement::of(item.and_then(|item| subject_of_dates(item, today)), open)
}

/// The changes to a product's open notifications about its stock, with all of its lots. `product`
/// is `None` if it was deleted.
pub fn settle_stock(product: Option<&Product>, lots: &[Item], open: &[Notification]) -> Settlement {
    let level = product.and_then(|product| StockLevel::of(&product.details, lots));
    let truth = level.filter(StockLevel::is_low).map(|level| NotificationSubject::LowStock {
        quantity: level.quantity(),
        threshold: level.threshold,
        unit: level.unit,
    });
    Settlement::of(truth, open)
}

fn subject_of_dates(item: &Item, today: Date) -> Option<NotificationSubject> {
    let date = date_at_risk(item)?;
    match ExpirationStatus::of(Some(date), today) {
        ExpirationStatus::ExpiringSoon => Some(NotificationSubject::ExpiringSoon(date)),
        ExpirationStatus::Expired => Some(NotificationSubject::Expired(date)),
        ExpirationStatus::None | ExpirationStatus::Fresh => None,
    }
}

/// The day that counts. An item that has run out cannot expire.
fn date_at_risk(item: &Item) -> Option<ExpirationDate> {
    item.details.good_until().filter(|_| !item.details.is_depleted())
}

/// The topics that a change of an item can affect. `None` for an item that was created or deleted.
pub fn affected_topics(before: Option<&Item>, after: Option<&Item>) -> Vec<NotificationTopic> {
    let mut topics = Vec::new();
    let date = |item: Option<&Item>| item.and_then(date_at_risk);
    if let Some(item) = before.or(after).filter(|_| date(before) != date(after)) {
        topics.push(NotificationTopic::Dates(item.id));
    }
    // Whether the sum crosses the threshold, only all lots together tell; but it does not while this
    // lot alone is enough.
    let stock = |item: &Item| {
        let ItemDetails { quantity, unit, low_stock_threshold, desired_quantity, .. } =
            &item.details;
        let counts = !item.details.is_enough_alone();
        let counted = counts.then(|| (*quantity, unit.clone()));
        low_stock_threshold.map(|threshold| (item.product, threshold, *desired_quantity, counted))
    };
    let (old, new) = (before.and_then(stock), after.and_then(stock));
    if old != new {
        let products = [old, new].into_iter().flatten().filter_map(|(product, ..)| product);
        for topic in products.map(NotificationTopic::Stock) {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
    }
    topics
}

/// Which notifications a list shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum NotificationFilter {
    /// Open ones, acknowledged or not.
    #[default]
    Open,
    /// Those with exactly this status.
    Status(NotificationStatus),
    /// All.
    All,
}

impl NotificationFilter {
    /// Whether the list shows it.
    pub fn matches(self, status: NotificationStatus) -> bool {
        match self {
            Self::Open => status != NotificationStatus::Resolved,
            Self::Status(wanted) => status == wanted,
            Self::All => true,
        }
    }
}

/// The place of a notification in lists, which are newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotificationPosition {
    /// When it was created.
    pub created_at: Timestamp,
    /// Which of those of that moment.
    pub id: NotificationId,
}

impl NotificationPosition {
    /// The place of this notification.
    pub const fn of(notification: &Notification) -> Self {
        Self { created_at: notification.created_at, id: notification.id }
    }
}

/// A channel that reaches people who are not using Larder at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Channel {
    /// A call to a server that the operator has named.
    Webhook,
    /// A mail to every member.
    Mail,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 2] = [Self::Webhook, Self::Mail];

    /// The word for it in records and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Mail => "mail",
        }
    }

    /// The channel with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == text)
    }
}

#[cfg(test)]
mod tests;
