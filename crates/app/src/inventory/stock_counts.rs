//! How many items are in each view of the stock.

use jiff::civil::Date;
use larder_domain::{ItemFilter, ItemSort, Owner, StockCounts};
use larder_storage::{AtVersion, Cache, Lookup, Scope};

use crate::{App, Caller, Result, authorize};

/// How many items are read at once: most households have fewer.
const CHUNK: usize = 1000;
/// How many inventories are cached, in a megabyte.
pub(crate) const MAX_COUNTED: usize = 10_000;

/// Counts by inventory, valid until the next change in it, according to the store, or the next day.
pub(crate) type StockCountsCache = Cache<Owner, StockCounts, AtVersion<(u64, Date)>>;

impl App {
    /// How many items are in each view of the caller's stock today.
    pub async fn stock_counts(&self, caller: &Caller) -> Result<StockCounts> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        // Before the items: a change during counting makes the count that of an older list.
        let Some(list) = self.storage.list_version(scope).await? else {
            return self.count(scope, today).await;
        };
        match self.stock_counts.look_up(&scope.owner(), AtVersion((list, today))) {
            Lookup::Hit(counts) => Ok(counts),
            Lookup::Miss(ticket) => {
                let counts = self.count(scope, today).await?;
                self.stock_counts.insert(ticket, scope.owner(), counts);
                Ok(counts)
            }
        }
    }

    /// Counts the whole stock.
    async fn count(&self, scope: Scope, today: Date) -> Result<StockCounts> {
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let (sort, mut counts, mut after) = (ItemSort::Created, StockCounts::default(), None);
        loop {
            let read =
                self.storage.list_items(scope, &everything, today, sort, after.as_ref(), CHUNK);
            let page = read.await?;
            for item in &page.items {
                counts.count(item, today);
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(counts),
            }
        }
    }
}
