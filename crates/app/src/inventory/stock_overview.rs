//! An overview of the stock: how many items are in each view, and which products are low.

use std::sync::Arc;

use jiff::civil::Date;
use larder_domain::{
    ExpirationStatus, Item, ItemFilter, ItemSort, LowProducts, Owner, StockCounts,
};
use larder_storage::{AtVersion, Cache, Lookup, Scope};

use crate::{App, Caller, Result, authorize, today::FirstToExpire};

/// How many items are read at once: most households have fewer.
const CHUNK: usize = 1000;
/// How many inventories are cached, in a megabyte.
pub(crate) const MAX_COUNTED: usize = 10_000;

/// An overview of the stock of one inventory.
#[derive(Debug, Clone, Default)]
pub struct StockOverview {
    /// How many items are in each view.
    pub counts: StockCounts,
    /// The products whose stock is low.
    pub low: Arc<LowProducts>,
    /// The first items that expire soon.
    pub soon: Arc<[Item]>,
    /// The first that have expired.
    pub expired: Arc<[Item]>,
}

/// Overviews by inventory, valid until the next change in it, according to the store, or the next
/// day.
pub(crate) type StockOverviewCache = Cache<Owner, StockOverview, AtVersion<(u64, Date)>>;

impl App {
    /// An overview of the caller's stock today.
    pub async fn stock_overview(&self, caller: &Caller) -> Result<StockOverview> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        // Before the items: a change during counting makes the count that of an older list.
        let Some(list) = self.storage.list_version(scope).await? else {
            return self.look_over(scope, today).await;
        };
        match self.stock_overviews.look_up(&scope.owner(), AtVersion((list, today))) {
            Lookup::Hit(overview) => Ok(overview),
            Lookup::Miss(ticket) => {
                let overview = self.look_over(scope, today).await?;
                self.stock_overviews.insert(ticket, scope.owner(), overview.clone());
                Ok(overview)
            }
        }
    }

    /// Reads the whole stock.
    async fn look_over(&self, scope: Scope, today: Date) -> Result<StockOverview> {
        let low = Arc::new(self.storage.low_products(scope).await?);
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let (sort, mut counts, mut after) = (ItemSort::Created, StockCounts::default(), None);
        let (mut soon, mut expired) = (FirstToExpire::default(), FirstToExpire::default());
        loop {
            let read =
                self.storage.list_items(scope, &everything, today, sort, after.as_ref(), CHUNK);
            let page = read.await?;
            for item in &page.items {
                counts.count(item, today, &low);
                let date = item.details.good_until().filter(|_| !item.details.is_depleted());
                match ExpirationStatus::of(date, today) {
                    ExpirationStatus::ExpiringSoon => soon.meet(item),
                    ExpirationStatus::Expired => expired.meet(item),
                    _ => {}
                }
            }
            let Some(next) = page.next else {
                let (soon, expired) = (soon.into_items(), expired.into_items());
                return Ok(StockOverview { counts, low, soon, expired });
            };
            after = Some(next);
        }
    }
}
