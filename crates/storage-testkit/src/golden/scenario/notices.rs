//! Notifications with their deliveries, and leases of background jobs.

use jiff::SignedDuration;
use larder_domain::{
    Channel, Notification, NotificationId, NotificationKind, NotificationTopic, Occasion,
    ProductId, ShoppingItemId,
};
use larder_storage::{
    Acknowledge, Attempt, Delivery, HouseholdScope, Inventory, Notifications, ReplaceItem,
    SettleNotifications, SystemScope, TakenLease, Upkeep,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{BUTTER, HOME, KEN, MIA, Scenario, home};
use crate::sample::TODAY;

const LOW_STOCK: NotificationId = NotificationId::fixed(0x8888_8888_8888_4888_8888_8888_8888_0001);
const SYSTEM: SystemScope = SystemScope::assume_authorized(HOME);
const JOB: &str = "daily";

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// Butter is low and near its date: two notifications on both channels. A server has the lease
    /// of a job.
    pub(super) async fn make_notices(&self) {
        let opened = self.settle(Occasion::DayBegan).await;
        let kinds: Vec<_> = opened.iter().map(|said| said.subject.kind()).collect();
        assert_eq!(kinds, [NotificationKind::LowStock, NotificationKind::ExpiringSoon]);
        let at = self.tick();
        let until = at + SignedDuration::from_mins(1);
        let taken = self.store.take_lease(JOB, "server 1", until, at).await.unwrap();
        assert_eq!(taken, Some(TakenLease { last_finished_at: None }));
    }

    /// One of each state: acknowledged, resolved; delivered, to be retried, failed permanently,
    /// waiting.
    pub(super) async fn change_notices(&self) {
        let scope: HouseholdScope = home(KEN);
        let claim = self.claim("seen");
        let seen =
            self.store.acknowledge_notification(scope, LOW_STOCK, self.claimed(&claim)).await;
        assert!(matches!(seen.unwrap(), Acknowledge::Done(_)), "it is open");
        for delivery in self.store.due_deliveries(self.tick(), 10).await.unwrap() {
            self.try_to_deliver(&delivery).await;
        }

        let inventory = home(MIA).inventory();
        let butter = self.store.find_item(inventory, BUTTER).await.unwrap();
        let butter = butter.expect("there is butter");
        let mut undated = butter.details;
        undated.expiration = None;
        let replaced = self
            .store
            .replace_item(inventory, BUTTER, butter.version, &undated, false, self.write())
            .await;
        assert!(matches!(replaced.unwrap(), ReplaceItem::Replaced(_)), "the version is right");
        assert_eq!(self.settle(Occasion::Changed).await, []);

        self.store.release_lease(JOB, "server 1", Some(self.tick())).await.unwrap();
        let at = self.tick();
        let due = self.store.due_households(at, 10).await.unwrap();
        assert_eq!(due.iter().map(|due| due.household).collect::<Vec<_>>(), [HOME]);
        let next = due[0].zone.next_day(at);
        self.store.finish_day(&due[0], next).await.unwrap();
    }

    async fn settle(&self, occasion: Occasion) -> Vec<Notification> {
        let at = self.tick();
        let mut opened = Vec::new();
        let product = ProductId::of_lot(BUTTER, 1);
        for topic in [NotificationTopic::Stock(product), NotificationTopic::Dates(BUTTER)] {
            let settlement = SettleNotifications {
                topic,
                today: TODAY,
                occasion,
                fresh_id: LOW_STOCK,
                entry_id: ShoppingItemId::fixed(0x9999_9999_9999_4999_8999_9999_9999_0099),
                by: None,
                channels: &Channel::ALL,
                at,
                next_day: at,
            };
            opened.extend(self.store.settle_notifications(SYSTEM, settlement).await.unwrap());
        }
        opened
    }

    async fn try_to_deliver(&self, delivery: &Delivery) {
        let at = self.tick();
        let attempt = match (delivery.notification == LOW_STOCK, delivery.channel) {
            (true, Channel::Webhook) => {
                Attempt::RetryAt(at + SignedDuration::from_mins(1), "HTTP status 503".to_owned())
            }
            (true, Channel::Mail) => Attempt::Dead(at, "550 no such mailbox".to_owned()),
            (false, Channel::Webhook) => Attempt::Delivered,
            (false, Channel::Mail) => return,
        };
        self.store.record_attempt(delivery, &attempt).await.unwrap();
    }
}
