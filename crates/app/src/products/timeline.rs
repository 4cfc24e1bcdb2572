//! The history of a product together with that of its lots.

use futures_util::future::{try_join, try_join_all};
use larder_domain::{Item, ProductDetails, Run, RunStep};
use larder_storage::{ItemChange, Page, ProductChange, StockedProduct};

use crate::{
    App, Caller, Result,
    runs::{HistoryEntry, READ_AT_ONCE},
};

/// How many lots' histories are read together. Few products have more lots at once.
const MAX_LOTS_READ: usize = 20;

/// A change of a product, or of one of its lots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimelineEntry {
    /// Of what is known of the product.
    Product(Box<ProductChange>),
    /// Of a lot.
    Lot(Box<ItemChange>),
}

/// A page of the changes of a product and its lots, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// The changes, and the number before which the next page begins.
    pub page: Page<Run<TimelineEntry>, u64>,
    /// How many lots are left out: those whose last change is the oldest.
    pub left_out: usize,
}

impl HistoryEntry for TimelineEntry {
    /// One inventory numbers all of its changes together, so these compare.
    fn sequence(&self) -> u64 {
        match self {
            Self::Product(change) => change.sequence,
            Self::Lot(change) => change.sequence,
        }
    }

    fn step(&self) -> RunStep {
        match self {
            Self::Product(change) => RunStep::of(None, change.by, change.at),
            Self::Lot(change) => change.step(),
        }
    }
}

impl TimelineEntry {
    /// Whether it only repeats a change of the product, which all lots are told.
    fn is_told(&self, product: &ProductDetails) -> bool {
        let Self::Lot(change) = self else { return false };
        let (Some(old), Some(new)) = (&change.versions.old, &change.versions.new) else {
            return false;
        };
        let own = |lot: &Item| lot.details.clone().of_product(product);
        own(old) == own(new)
    }
}

/// The lots that changed last, as many as are read.
pub(super) fn last_changed(mut lots: Vec<&Item>) -> Vec<&Item> {
    lots.sort_by_key(|lot| std::cmp::Reverse((lot.updated_at, lot.id)));
    lots.truncate(MAX_LOTS_READ);
    lots
}

impl App {
    /// A page of up to this many lines about a product and its lots before this change (`None`: from
    /// the newest), newest first.
    pub async fn product_timeline(
        &self,
        caller: &Caller,
        stocked: &StockedProduct,
        before: Option<u64>,
        lines: usize,
    ) -> Result<Timeline> {
        let lots = last_changed(stocked.lots.iter().collect());
        let read = |before| self.timeline_page(caller, stocked, &lots, before, READ_AT_ONCE);
        let page = self.read_runs(caller, before, lines, read).await?;
        Ok(Timeline { page, left_out: stocked.lots.len() - lots.len() })
    }

    /// May be empty while more follow.
    async fn timeline_page(
        &self,
        caller: &Caller,
        stocked: &StockedProduct,
        lots: &[&Item],
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<TimelineEntry, u64>> {
        let own = self.product_history(caller, stocked.product.id, before, limit);
        let of_lots = lots.iter().map(|lot| self.item_history(caller, lot.id, before, limit));
        let (own, of_lots) = try_join(own, try_join_all(of_lots)).await?;
        let mut is_more = own.next.is_some();
        let own = own.items.into_iter().map(|change| TimelineEntry::Product(Box::new(change)));
        let mut entries: Vec<_> = own.collect();
        for page in of_lots {
            is_more |= page.next.is_some();
            let changes = page.items.into_iter();
            entries.extend(changes.map(|change| TimelineEntry::Lot(Box::new(change))));
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.sequence()));
        is_more |= entries.len() > limit;
        entries.truncate(limit);
        let next = entries.last().map(TimelineEntry::sequence).filter(|_| is_more);
        entries.retain(|entry| !entry.is_told(&stocked.product.details));
        Ok(Page { items: entries, next })
    }
}
