//! Suggestions of what to buy: low items, and other items of the stock.

use std::collections::BTreeSet;

use larder_app::{App, AppError, Caller};
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
        let low = ItemFilter { low_stock: true, ..known.clone() };
        // The newest, because other orders scan the whole inventory.
        let read = async |filter: &ItemFilter, limit| {
            let page = app.list_items(caller, filter, ItemSort::Created, None, limit).await;
            page.map(|page| page.items)
        };
        let mut found = Vec::new();
        // Skipped if there are none, because searching for them would scan the whole inventory,
        // too.
        if app.stock_counts(caller).await?.of(StockView::Low) > 0 {
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

    /// The low items that are not on the list.
    pub(super) fn offered(&self, entries: &[ShoppingItem]) -> Vec<&Item> {
        let is_listed = |item: &Item| entries.iter().any(|entry| entry.item == Some(item.id));
        self.low.iter().filter(|item| !is_listed(item)).take(MOST_OFFERED).collect()
    }
}
