//! An overview of the stock: how many items are in each view, and which products are low.

use std::sync::Arc;

use jiff::civil::Date;
use larder_domain::{ItemFilter, ItemSort, LowProducts, Owner, StockCounts};
use larder_storage::{AtVersion, Cache, Lookup, Scope};

use crate::{App, Caller, Result, authorize};

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
        loop {
            let read =
                self.storage.list_items(scope, &everything, today, sort, after.as_ref(), CHUNK);
            let page = read.await?;
            for item in &page.items {
                counts.count(item, today, &low);
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(StockOverview { counts, low }),
            }
        }
    }
}
