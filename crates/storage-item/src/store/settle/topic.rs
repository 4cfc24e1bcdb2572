//! The part of the stock that a topic is about, and the conditions under which it is still so.

use larder_domain::{
    Item, ItemDetails, MissingStock, Notification, NotificationTopic, Product, ProductId,
    Settlement, missing_stock, settle_dates, settle_stock,
};
use larder_storage::{Result, SettleNotifications, SystemScope};

use super::super::{ItemStore, replace_item::version_is};
use crate::{
    Action, Condition, Key, Number, RecordEngine, Table,
    layout::{
        fields::{count_number, hundredths_number, quantity_number},
        item, keys,
        product::{self, Lots},
    },
};

/// The most other actions of a transaction. One that opens or resolves has the marker, the
/// notification, and a delivery over each channel; one that puts something on the shopping list the
/// notification, the shop, the count of entries and the entry.
const OTHER_ACTIONS: usize = 2 + larder_domain::Channel::ALL.len();

/// A part of the stock as it was read.
pub(super) enum Judged {
    Dates { key: Key, item: Option<Box<Item>> },
    Stock(Box<Stock>),
}

/// A product and its lots.
pub(super) struct Stock {
    key: Key,
    lots_key: Key,
    product: Option<Product>,
    /// Whether it is being joined to another, which it never recovers from.
    is_joining: bool,
    /// The number of lots that its record of lots says.
    count: Option<Number>,
    lots: Vec<Item>,
}

/// The checks of a transaction that does something because of a part of the stock.
pub(super) struct Truth {
    pub(super) checks: Vec<Action>,
    /// Whether nothing can change without failing a check.
    pub(super) is_complete: bool,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Reads the part of the stock that a topic is about.
    pub(super) async fn judge(
        &self,
        scope: SystemScope,
        settle: SettleNotifications<'_>,
    ) -> Result<Judged> {
        match settle.topic {
            NotificationTopic::Dates(item) => {
                let key = keys::item(scope.owner(), item);
                let record = self.get(&key).await?;
                let item = record.as_ref().map(item::from_record).transpose()?.map(Box::new);
                Ok(Judged::Dates { key, item })
            }
            NotificationTopic::Stock(product) => {
                Ok(Judged::Stock(Box::new(self.stock_of(scope, product).await?)))
            }
        }
    }

    /// Reads a product and its lots.
    async fn stock_of(&self, scope: SystemScope, id: ProductId) -> Result<Stock> {
        let owner = scope.owner();
        let (key, lots_key) = (keys::product(owner, id), keys::product_lots(owner, id));
        let (record, lots) = tokio::try_join!(self.get(&key), self.get(&lots_key))?;
        let is_joining = record.as_ref().is_some_and(product::is_joining);
        let record = record.filter(|_| !is_joining);
        let count = lots.as_ref().and_then(product::count);
        let ids = lots.as_ref().map(Lots::from_record).transpose()?.unwrap_or_default().ids;
        Ok(Stock {
            key,
            lots_key,
            product: record.as_ref().map(product::from_record).transpose()?,
            is_joining,
            count,
            lots: self.items_by_id(owner, &ids).await?,
        })
    }
}

impl Judged {
    /// The changes to these open notifications.
    pub(super) fn settlement(
        &self,
        open: &[Notification],
        settle: SettleNotifications<'_>,
    ) -> Settlement {
        match self {
            Self::Dates { item, .. } => settle_dates(item.as_deref(), open, settle.today),
            Self::Stock(stock) => settle_stock(stock.product.as_ref(), &stock.lots, open),
        }
    }

    /// What should go on the shopping list.
    pub(super) fn missing(&self) -> Option<MissingStock<'_>> {
        let Self::Stock(stock) = self else { return None };
        missing_stock(stock.product.as_ref()?, &stock.lots)
    }

    /// The item that a notification names.
    pub(super) fn lot(&self) -> Option<&Item> {
        match self {
            Self::Dates { item, .. } => item.as_deref(),
            Self::Stock(stock) => stock.lots.iter().min_by_key(|lot| (lot.created_at, lot.id)),
        }
    }

    /// The checks that a new notification is still justified.
    pub(super) fn so(&self, at_once: usize) -> Truth {
        match self {
            Self::Dates { key, item } => {
                let details = item.as_ref().map(|item| &item.details);
                let mut when = details.map(is_dated).unwrap_or_default();
                when.push(Condition::AtLeast("quantity".into(), hundredths_number(1)));
                Truth::of_one(key, when)
            }
            Self::Stock(stock) => stock.is_still(at_once, |seen| {
                Condition::AtMost("quantity".into(), quantity_number(seen.quantity))
            }),
        }
    }

    /// The checks that there is exactly as much as was read.
    pub(super) fn exactly(&self, at_once: usize) -> Truth {
        match self {
            // Only stock has quantities that change.
            Self::Dates { .. } => self.so(at_once),
            Self::Stock(stock) => stock.is_still(at_once, |seen| {
                Condition::Equals("quantity".into(), quantity_number(seen.quantity).into())
            }),
        }
    }

    /// The checks that notifications are still outdated.
    pub(super) fn not_so(&self, at_once: usize) -> Truth {
        match self {
            Self::Dates { key, item: Some(item) } => {
                let is_gone = Condition::AtMost("quantity".into(), Number::ZERO);
                let is_gone = item.details.is_depleted().then_some(is_gone);
                Truth::of_one(key, is_dated(&item.details).into_iter().chain(is_gone).collect())
            }
            Self::Dates { key, item: None } => Truth::of_one(key, vec![Condition::NotExists]),
            Self::Stock(stock) => stock.is_still(at_once, |seen| {
                Condition::AtLeast("quantity".into(), quantity_number(seen.quantity))
            }),
        }
    }
}

impl Truth {
    fn of_one(key: &Key, when: Vec<Condition>) -> Self {
        Self { checks: vec![check(key, when)], is_complete: true }
    }
}

impl Stock {
    /// The checks that product and lots are as they were read, with this condition on the quantity
    /// of each. If there are more lots than a transaction can check, some are left out.
    fn is_still(&self, at_once: usize, quantity: impl Fn(&ItemDetails) -> Condition) -> Truth {
        let Some(product) = &self.product else {
            let is_gone = check(&self.key, vec![Condition::NotExists]);
            let checks = (!self.is_joining).then_some(is_gone).into_iter().collect();
            return Truth { checks, is_complete: true };
        };
        let count = self.count.map(crate::Value::N);
        let mut checks = vec![
            check(&self.key, version_is(product.version)),
            check(&self.lots_key, vec![is_still("lots", count)]),
        ];
        let room = at_once.saturating_sub(OTHER_ACTIONS + checks.len());
        checks.extend(self.lots.iter().take(room).map(|lot| {
            let unit = Condition::Equals("unit".into(), lot.details.unit.as_str().into());
            check(&keys::item(lot.owner, lot.id), vec![unit, quantity(&lot.details)])
        }));
        Truth { checks, is_complete: self.lots.len() <= room }
    }
}

fn check(key: &Key, when: Vec<Condition>) -> Action {
    Action::Check { table: Table::InventoryManagement, key: key.clone(), when }
}

/// The condition that an attribute is as it was read.
fn is_still(name: &'static str, value: Option<crate::Value>) -> Condition {
    match value {
        Some(value) => Condition::Equals(name.into(), value),
        None => Condition::Absent(name.into()),
    }
}

/// The conditions that the day that counts is as it was read.
fn is_dated(details: &ItemDetails) -> Vec<Condition> {
    let life = details.opened_shelf_life.map(|life| count_number(life.days().into()));
    vec![
        is_still("expirationDate", details.expiration.map(|date| date.to_string().into())),
        is_still("openedOn", details.opened_on.map(|date| date.to_string().into())),
        is_still("openedShelfLifeDays", life.map(Into::into)),
    ]
}
