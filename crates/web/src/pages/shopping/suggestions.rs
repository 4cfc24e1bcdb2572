//! What one may want to buy: what is low, and whatever else there was.

use std::collections::BTreeSet;

use larder_app::{App, AppError, Caller};
use larder_domain::{Item, ItemFilter, ItemSort, ShoppingItem, StockView};

/// So many names are suggested at most. More would not help anybody, and make the page heavy.
const MOST_NAMES: usize = 200;
/// So much of what is low is looked at.
const MOST_LOW: usize = 50;
/// So much of what is low is offered to be added by one press.
const MOST_OFFERED: usize = 6;

/// Items that may be wanted.
pub(super) struct Suggestions {
    low: Vec<Item>,
    known: Vec<Item>,
}

impl Suggestions {
    pub(super) async fn read(app: &App, caller: &Caller) -> Result<Self, AppError> {
        let known = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let low = ItemFilter { low_stock: true, ..known.clone() };
        // The newest, because other orders go through everything.
        let read = async |filter: &ItemFilter, limit| {
            let page = app.list_items(caller, filter, ItemSort::Created, None, limit).await;
            page.map(|page| page.items)
        };
        let mut found = Vec::new();
        // Looking for what is not there goes through everything, too.
        if app.stock_counts(caller).await?.of(StockView::Low) > 0 {
            found = read(&low, MOST_LOW).await?;
            found.sort_by_cached_key(|item| item.details.merge_key().name);
        }
        Ok(Self { low: found, known: read(&known, MOST_NAMES).await? })
    }

    /// All of them, what is low first.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.low.iter().chain(&self.known)
    }

    /// One item of each name.
    pub(super) fn names(&self) -> Vec<&Item> {
        let mut seen = BTreeSet::new();
        let is_new = |item: &&Item| seen.insert(item.details.merge_key().name);
        self.items().filter(is_new).take(MOST_NAMES).collect()
    }

    /// What is low and not on the list.
    pub(super) fn offered(&self, entries: &[ShoppingItem]) -> Vec<&Item> {
        let is_listed = |item: &Item| entries.iter().any(|entry| entry.item == Some(item.id));
        self.low.iter().filter(|item| !is_listed(item)).take(MOST_OFFERED).collect()
    }
}
