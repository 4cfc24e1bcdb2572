//! Notifications follow the items: a change that may matter to them is followed by settling them
//! (`docs/adr/0008-notifications-after-the-change.md`).

use std::{sync::Arc, time::Duration};

use jiff::civil::Date;
use larder_domain::{
    Channel, ExpirationDate, ExpirationStatus, HouseholdId, Item, ItemDetails, Notification,
    NotificationTopic, Occasion, Owner, Product, Quantity, UserId, Zone, affected_topics,
    last_day_of_soon,
};
use larder_storage::{AddItem, AdjustItem, Clock, SettleNotifications, Store};
use tokio::task::JoinHandle;
use tracing::Instrument as _;

use crate::{App, Caller, Entropy, Result, app, authorize, completion::complete_even_if_cancelled};

/// How long an answer waits for the notifications of its change, so that the next request sees
/// them. Settling completes even if it takes longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A topic of a household whose notifications may be outdated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Affected {
    household: HouseholdId,
    topic: NotificationTopic,
    /// The date of an item that is new: until it is near there is nothing to say or to end.
    first_date: Option<ExpirationDate>,
}

impl Affected {
    /// The topics that this change of an item can affect. `None` for an item that was created or
    /// deleted. Personal items have no notifications.
    pub(crate) fn by_change(before: Option<&Item>, after: Option<&Item>) -> Vec<Self> {
        let Some(Owner::Household(household)) = after.or(before).map(|item| item.owner) else {
            return Vec::new();
        };
        let new = after.filter(|_| before.is_none());
        let first_date = |topic| match topic {
            NotificationTopic::Dates(_) => new.and_then(|item| item.details.good_until()),
            NotificationTopic::Stock(_) => None,
        };
        let topics = affected_topics(before, after).into_iter();
        topics.map(|topic| Self { household, topic, first_date: first_date(topic) }).collect()
    }

    /// The same for a change of only the quantity, by so many hundredths. Called after every
    /// adjustment, so it filters cheaply first.
    pub(crate) fn by_amount(after: &Item, applied_hundredths: i64) -> Vec<Self> {
        let details = &after.details;
        if details.low_stock_threshold.is_none() && details.good_until().is_none() {
            return Vec::new();
        }
        let hundredths = details.quantity.hundredths() - applied_hundredths;
        let mut before = after.clone();
        match Quantity::from_hundredths(hundredths) {
            Ok(quantity) => before.details.quantity = quantity,
            Err(_) => return Vec::new(),
        }
        Self::by_change(Some(&before), Some(after))
    }

    /// The topics of an item that was adjusted, if it was.
    pub(crate) fn by_adjusting(outcome: &AdjustItem) -> Vec<Self> {
        match outcome {
            AdjustItem::Adjusted { item, applied_hundredths } => {
                Self::by_amount(item, *applied_hundredths)
            }
            AdjustItem::NotFound | AdjustItem::Overflow(_) => Vec::new(),
        }
    }

    /// The topics of an item that this was added to, if it was.
    pub(crate) fn by_adding(outcome: &AddItem, added: &ItemDetails) -> Vec<Self> {
        match outcome {
            AddItem::Added(item) => Self::by_change(None, Some(item)),
            AddItem::Merged(item) => Self::by_merge(item, added),
            _ => Vec::new(),
        }
    }

    /// The topics of a changed product with these lots.
    pub(crate) fn by_product(product: &Product, lots: &[Item]) -> Vec<Self> {
        let Owner::Household(household) = product.owner else { return Vec::new() };
        let dates = lots.iter().map(|lot| NotificationTopic::Dates(lot.id));
        let topics = dates.chain([NotificationTopic::Stock(product.id)]);
        topics.map(|topic| Self { household, topic, first_date: None }).collect()
    }

    /// Whether there may be something to say or to end on this day.
    fn matters(&self, today: Date) -> bool {
        self.first_date.is_none_or(|date| {
            let status = ExpirationStatus::of(Some(date), today);
            matches!(status, ExpirationStatus::ExpiringSoon | ExpirationStatus::Expired)
        })
    }

    /// The same after a merge into the item.
    pub(crate) fn by_merge(after: &Item, added: &ItemDetails) -> Vec<Self> {
        let added = added.unit.convert(added.quantity, &after.details.unit);
        added.map_or_else(Vec::new, |added| Self::by_amount(after, added.hundredths()))
    }
}

/// The dependencies of settling, separate from the use cases: it outlives the request.
pub(crate) struct Settler {
    pub(crate) storage: Arc<dyn Store>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) channels: Vec<Channel>,
}

impl Settler {
    /// Brings the notifications of one topic in line with the stock, and returns the new one. What
    /// is low may go on the shopping list; `by` is the person whose change is settled.
    pub(crate) async fn settle(
        &self,
        household: HouseholdId,
        zone: &Zone,
        topic: NotificationTopic,
        occasion: Occasion,
        by: Option<UserId>,
    ) -> larder_storage::Result<Option<Notification>> {
        let at = app::now(&*self.clock);
        let settle = SettleNotifications {
            topic,
            today: zone.day_of(at),
            occasion,
            fresh_id: self.entropy.id(),
            entry_id: self.entropy.id(),
            by,
            channels: &self.channels,
            at,
            next_day: zone.next_day(at),
        };
        self.storage.settle_notifications(authorize::system(household), settle).await
    }

    /// Settles the affected topics. A failure is only logged: the change itself is done, and the
    /// daily job settles again.
    async fn settle_affected(&self, affected: &[Affected], zone: Option<Zone>, by: Option<UserId>) {
        for affected in affected {
            let Affected { household, topic, .. } = *affected;
            let settled = async {
                match self.zone_of(household, zone.as_ref()).await? {
                    Some(zone) if affected.matters(zone.day_of(app::now(&*self.clock))) => {
                        self.settle(household, &zone, topic, Occasion::Changed, by).await
                    }
                    _ => Ok(None),
                }
            };
            if let Err(error) = settled.await {
                tracing::warn!(%household, ?topic, %error, "notifications not settled, will retry");
            }
        }
    }

    /// Settles every topic of a household about which there may be something to say.
    async fn settle_household(&self, household: HouseholdId, zone: Zone) {
        let until = last_day_of_soon(zone.day_of(app::now(&*self.clock)));
        match self.storage.topics_to_settle(authorize::system(household), until).await {
            Ok(topics) => {
                let affected = |topic| Affected { household, topic, first_date: None };
                let affected: Vec<_> = topics.into_iter().map(affected).collect();
                self.settle_affected(&affected, Some(zone), None).await;
            }
            Err(error) => {
                tracing::warn!(%household, %error, "notifications not settled, will retry");
            }
        }
    }

    /// The household's time zone, if it is not given; `None` if it was deleted.
    async fn zone_of(
        &self,
        household: HouseholdId,
        known: Option<&Zone>,
    ) -> larder_storage::Result<Option<Zone>> {
        if let Some(zone) = known {
            return Ok(Some(zone.clone()));
        }
        let audience = self.storage.find_audience(authorize::system(household)).await?;
        Ok(audience.map(|audience| audience.household.zone))
    }
}

impl App {
    /// Runs a change of items, and settles the notifications of affected items. Both complete even
    /// if the request is cancelled. `caller` is `None` for taps, which are nobody's.
    pub(crate) async fn change_items<T, F>(
        &self,
        caller: Option<&Caller>,
        write: impl FnOnce(Arc<dyn Store>) -> F,
        affected: impl FnOnce(&T) -> Vec<Affected> + Send + 'static,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = larder_storage::Result<T>> + Send + 'static,
    {
        let (work, settler) = (write(Arc::clone(&self.storage)), Arc::clone(&self.settler));
        let caller = caller.cloned();
        let (outcome, settling) = complete_even_if_cancelled(async move {
            let outcome = work.await?;
            let affected = affected(&outcome);
            let settling = (!affected.is_empty()).then(|| settle_soon(settler, affected, caller));
            Ok::<_, larder_storage::StorageError>((outcome, settling))
        })
        .await??;
        if let Some(settling) = settling {
            wait_for(settling).await;
        }
        Ok(outcome)
    }

    /// Settles the notifications of a household into which personal items were moved, without
    /// waiting.
    pub(crate) fn settle_after_move(&self, household: HouseholdId, zone: Zone) {
        self.settle_all(household, zone);
    }

    /// Settles the notifications of a household whose shopping list now grows by itself: what is
    /// low already goes on it.
    pub(crate) async fn settle_after_switch(&self, household: HouseholdId, zone: Zone) {
        wait_for(self.settle_all(household, zone)).await;
    }

    fn settle_all(&self, household: HouseholdId, zone: Zone) -> JoinHandle<()> {
        let settler = Arc::clone(&self.settler);
        let work = async move { settler.settle_household(household, zone).await };
        tokio::spawn(work.in_current_span())
    }
}

fn settle_soon(
    settler: Arc<Settler>,
    affected: Vec<Affected>,
    caller: Option<Caller>,
) -> JoinHandle<()> {
    let (zone, by) = caller.map(|caller| (caller.zone().clone(), caller.user_id())).unzip();
    let work = async move { settler.settle_affected(&affected, zone, by).await };
    tokio::spawn(work.in_current_span())
}

/// Waits for a while. Too slow or broken off: either way the change itself is to be answered.
async fn wait_for(settling: JoinHandle<()>) {
    _ = tokio::time::timeout(PATIENCE, settling).await;
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::{ItemId, ItemName, Unit};

    use super::*;

    const HOME: HouseholdId = HouseholdId::fixed(7);
    const ITEM: ItemId = ItemId::fixed(1);

    fn item(owner: Owner, quantity: &str, threshold: Option<&str>) -> Item {
        let details = ItemDetails {
            low_stock_threshold: threshold.map(|it| Quantity::parse(it).unwrap()),
            ..ItemDetails::new(
                ItemName::parse("Rice").unwrap(),
                Quantity::parse(quantity).unwrap(),
                Unit::parse("kg").unwrap(),
            )
        };
        Item::new(ITEM, owner, details, UserId::fixed(2), Timestamp::UNIX_EPOCH)
    }

    fn at_home(quantity: &str) -> Item {
        item(Owner::Household(HOME), quantity, Some("2"))
    }

    fn stock(item: &Item) -> Vec<Affected> {
        let topic = NotificationTopic::Stock(item.product.unwrap());
        vec![Affected { household: HOME, topic, first_date: None }]
    }

    #[test]
    fn stock_matters_unless_this_lot_alone_is_enough_before_and_after() {
        for (after, applied, matters) in [
            ("1.99", -1, true),
            ("2", 1, true),
            ("2", -100, false),
            ("1", -100, true),
            ("1", -50, true),
            ("5", 100, false),
            ("0", 0, false),
        ] {
            let rice = at_home(after);
            let expected = if matters { stock(&rice) } else { Vec::new() };
            assert_eq!(Affected::by_amount(&rice, applied), expected, "{applied} to {after}");
        }
    }

    #[test]
    fn what_is_added_counts_in_the_unit_that_is_there() {
        let mut grams = at_home("500");
        grams.details.unit = Unit::parse("g").unwrap();
        let added = |after: &str| !Affected::by_merge(&at_home(after), &grams.details).is_empty();
        assert!(added("2.25"), "from 1.75 kg to 2.25 kg");
        assert!(!added("2.5"), "from 2 kg to 2.5 kg");
        assert!(added("1.5"), "from 1 kg to 1.5 kg");
    }

    #[test]
    fn a_changed_product_affects_its_stock_and_the_dates_of_its_lots() {
        let rice = at_home("5");
        let product = Product::of_lot(&rice);
        let topic = NotificationTopic::Dates(ITEM);
        let dates = Affected { household: HOME, topic, first_date: None };
        let expected = [vec![dates], stock(&rice)].concat();
        assert_eq!(Affected::by_product(&product, &[rice]), expected);
    }

    #[test]
    fn a_new_item_matters_from_the_day_on_which_its_date_is_near() {
        let mut milk = item(Owner::Household(HOME), "1", None);
        milk.details.expiration = Some(ExpirationDate::parse("2026-03-05").unwrap());
        let matters = |before: Option<&Item>, today: &str| {
            let affected = Affected::by_change(before, Some(&milk));
            assert_eq!(affected.len(), 1);
            affected[0].matters(today.parse().unwrap())
        };
        assert!(!matters(None, "2026-03-01"));
        assert!(matters(None, "2026-03-02") && matters(None, "2027-01-01"));
        // Of an item that had another date something may have been said.
        let undated = item(Owner::Household(HOME), "1", None);
        assert!(matters(Some(&undated), "2026-03-01"));
    }

    #[test]
    fn peoples_own_items_have_no_notifications() {
        let own = item(Owner::User(UserId::fixed(2)), "1", Some("2"));
        assert_eq!(Affected::by_change(None, Some(&own)), []);
        assert_eq!(Affected::by_amount(&own, -500), []);
        assert_eq!(Affected::by_product(&Product::of_lot(&own), &[own]), []);
    }
}
