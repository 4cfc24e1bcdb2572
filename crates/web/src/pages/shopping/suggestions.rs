//! Suggestions of what to buy: low items, and other items of the stock.

use std::collections::BTreeSet;

use larder_app::{App, AppError, Caller, StockOverview};
use larder_domain::{Item, ItemFilter, ItemSort, ShoppingItem, StockView};

/// The maximum number of suggested names. More would not help, and make the page large.
const MOST_NAMES: usize = 200;
/// The number of low items that are read.
const MOST_LOW: usize = 50;
/// The number of low items that are offered with a button.
const MOST_OFFERED: usize = 6;

/// Items to suggest.
pub(super) struct Suggestions {
    low: Vec<Item>,
    known: Vec<Item>,
}

impl Suggestions {
    pub(super) async fn read(app: &App, caller: &Caller) -> Result<Self, AppError> {
        let known = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        // The newest, because other orders scan the whole inventory.
        let read = async |filter: &ItemFilter, limit| {
            let page = app.list_items(caller, filter, ItemSort::Created, None, limit).await;
            page.map(|page| page.items)
        };
        let mut found = Vec::new();
        // Skipped if there are none, because searching for them would scan the whole inventory,
        // too.
        let StockOverview { counts, low } = app.stock_overview(caller).await?;
        if counts.of(StockView::Low) > 0 {
            let low = ItemFilter { low: Some(low), ..known.clone() };
            found = read(&low, MOST_LOW).await?;
            found.sort_by_cached_key(|item| item.details.merge_key().name);
        }
        Ok(Self { low: found, known: read(&known, MOST_NAMES).await? })
    }

    /// All of them, low ones first.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.low.iter().chain(&self.known)
    }

    /// One item of each name.
    pub(super) fn names(&self) -> Vec<&Item> {
        let mut seen = BTreeSet::new();
        let is_new = |item: &&Item| seen.insert(item.details.merge_key().name);
        self.items().filter(is_new).take(MOST_NAMES).collect()
    }

    /// One item of each low product that is not on the list.
    pub(super) fn offered(&self, entries: &[ShoppingItem]) -> Vec<&Item> {
        let is_listed = |item: &Item| entries.iter().any(|entry| entry.item == Some(item.id));
        let low = || self.low.iter();
        let mut seen: BTreeSet<_> =
            low().filter(|item| is_listed(item)).map(|item| item.product).collect();
        low().filter(|item| seen.insert(item.product)).take(MOST_OFFERED).collect()
    }
}
