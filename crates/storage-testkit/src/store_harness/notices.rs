//! Notifications and their deliveries.

use jiff::{SignedDuration, civil::Date};
use larder_domain::{
    Channel, ItemId, Notification, NotificationFilter, NotificationId, NotificationPosition,
    NotificationTopic, Occasion, ProductId, ShoppingItemId,
};
use larder_storage::{Delivery, HouseholdScope, SettleNotifications, SystemScope};

use super::{Home, StoreHarness};
use crate::sample::TODAY;

/// More than all tests that share a store leave lying about.
pub(crate) const ALL: usize = 100_000;

/// How far away the next day is.
pub(crate) const NEXT_DAY: SignedDuration = SignedDuration::from_hours(6);

/// The stock of the product that this lot made.
pub(crate) fn stock_of(lot: ItemId) -> NotificationTopic {
    NotificationTopic::Stock(ProductId::of_lot(lot, 1))
}

impl Home {
    /// Larder's own right to the household.
    pub(crate) const fn system(&self) -> SystemScope {
        SystemScope::assume_authorized(self.household.id)
    }
}

impl StoreHarness {
    pub(crate) fn notification_id(&self) -> NotificationId {
        NotificationId::from_random(self.bytes())
    }

    /// The input of settling: today, with these channels.
    pub(crate) fn settlement<'a>(
        &self,
        topic: NotificationTopic,
        occasion: Occasion,
        channels: &'a [Channel],
    ) -> SettleNotifications<'a> {
        let (fresh_id, at) = (self.notification_id(), self.write().at);
        SettleNotifications {
            topic,
            today: TODAY,
            occasion,
            fresh_id,
            entry_id: ShoppingItemId::from_random(self.bytes()),
            by: None,
            channels,
            at,
            next_day: at + NEXT_DAY,
        }
    }

    /// Settles after a change, without deliveries.
    pub(crate) async fn settle(&self, home: &Home, item: ItemId) -> Vec<Notification> {
        self.settle_both(home, item, TODAY, Occasion::Changed).await
    }

    /// Settles the stock and the dates of the only lot of a product.
    async fn settle_both(
        &self,
        home: &Home,
        item: ItemId,
        today: Date,
        occasion: Occasion,
    ) -> Vec<Notification> {
        // Both at the same time, as the use cases do after a change.
        let stock = self.settlement(stock_of(item), occasion, &[]);
        let stock = SettleNotifications { today, ..stock };
        let dates = SettleNotifications { topic: NotificationTopic::Dates(item), ..stock };
        let mut opened = Vec::new();
        for settlement in [stock, dates] {
            opened.extend(self.settle_one(home, settlement).await);
        }
        opened
    }

    pub(crate) async fn settle_one(
        &self,
        home: &Home,
        settlement: SettleNotifications<'_>,
    ) -> Option<Notification> {
        self.store.settle_notifications(home.system(), settlement).await.unwrap()
    }

    /// Settles when this day begins, without deliveries.
    pub(crate) async fn begin_day(
        &self,
        home: &Home,
        item: ItemId,
        today: Date,
    ) -> Vec<Notification> {
        self.settle_both(home, item, today, Occasion::DayBegan).await
    }

    pub(crate) async fn find_notification(
        &self,
        home: &Home,
        id: NotificationId,
    ) -> Option<Notification> {
        self.store.find_notification(home.system(), id).await.unwrap()
    }

    /// All notifications that a list shows, read page by page.
    pub(crate) async fn notifications(
        &self,
        scope: HouseholdScope,
        filter: NotificationFilter,
        limit: usize,
    ) -> Vec<Notification> {
        let mut notifications = Vec::new();
        let mut after: Option<NotificationPosition> = None;
        loop {
            let page = self.store.list_notifications(scope, filter, after.as_ref(), limit);
            let page = page.await.unwrap();
            assert!(page.items.len() <= limit, "a page holds at most what was asked for");
            assert!(
                page.next.is_none() || !page.items.is_empty(),
                "no page is empty while more follow"
            );
            notifications.extend(page.items);
            match page.next {
                Some(next) => after = Some(next),
                None => return notifications,
            }
        }
    }

    /// Until a list shows exactly these.
    pub(crate) async fn expect_notifications(
        &self,
        home: &Home,
        filter: NotificationFilter,
        expected: &[Notification],
    ) {
        let expected = expected.to_vec();
        let read = async || self.notifications(home.scope, filter, 50).await;
        self.eventually(&expected, read).await;
    }

    /// This household's due deliveries, by channel; the store may be shared.
    pub(crate) async fn due_deliveries(&self, home: &Home) -> Vec<Delivery> {
        of_home(home, self.store.due_deliveries(self.now(), ALL).await.unwrap())
    }

    /// This household's dead letters, by channel.
    pub(crate) async fn dead_letters(&self, home: &Home) -> Vec<Delivery> {
        of_home(home, self.store.dead_letters(ALL).await.unwrap())
    }
}

fn of_home(home: &Home, mut deliveries: Vec<Delivery>) -> Vec<Delivery> {
    assert!(deliveries.is_sorted_by_key(|delivery| delivery.due_at), "the longest waiting first");
    deliveries.retain(|delivery| delivery.household == home.household.id);
    deliveries.sort_by_key(|delivery| delivery.channel);
    deliveries
}
