//! Lists of items. An order that the engine indexes is read from its index; otherwise the inventory
//! is read once, and only the page is kept.

use jiff::civil::Date;
use larder_domain::{Item, ItemFilter, ItemPosition, ItemSort};
use larder_storage::{Page, Result, Scope};

use super::ItemStore;
use crate::{
    MAX_QUERY_LIMIT, RecordEngine,
    item_order::{check_order, items_in_order},
    layout::item,
};

/// How many records a filtered list reads at once at least: few matches should not mean many reads.
const MIN_READ: usize = 100;

impl<E: RecordEngine> ItemStore<E> {
    /// Whether the engine has an index in this order.
    pub(super) fn is_indexed(&self, sort: ItemSort) -> bool {
        sort == ItemSort::Created || self.engine.has_item_orders()
    }

    pub(super) async fn items_in_order(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        let is_unfiltered =
            ItemFilter { include_depleted: true, ..ItemFilter::default() } == *filter;
        let read = if is_unfiltered { limit + 1 } else { (limit + limit / 4 + 1).max(MIN_READ) };
        // A first page reads no more than it shows unless things have run out, which are rare.
        let first_read = if after.is_none() { limit + 1 } else { read };
        let first_read = first_read.min(MAX_QUERY_LIMIT);
        let mut query = items_in_order(scope.owner(), sort, after, first_read)?;
        let mut items = Vec::with_capacity(limit + 1);
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let item = item::from_record(record)?;
                if filter.matches(&item, today) {
                    items.push(item);
                    if items.len() > limit {
                        return Ok(cut(items, limit, sort));
                    }
                }
            }
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => return Ok(cut(items, limit, sort)),
            }
            query.limit = read.min(MAX_QUERY_LIMIT);
        }
    }

    pub(super) async fn sorted_items(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        check_order(sort, after)?;
        let mut query = items_in_order(scope.owner(), ItemSort::Created, None, MAX_QUERY_LIMIT)?;
        let mut best: Vec<(ItemPosition, Item)> = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let item = item::from_record(record)?;
                if !filter.matches(&item, today) {
                    continue;
                }
                let position = ItemPosition::of(&item, sort);
                if after.is_none_or(|after| position > *after) {
                    best.push((position, item));
                }
            }
            keep_first(&mut best, limit + 1);
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => break,
            }
            // Reads run on this thread: yield between two of them.
            tokio::task::yield_now().await;
        }
        let items = best.into_iter().map(|(_, item)| item).collect();
        Ok(cut(items, limit, sort))
    }
}

fn keep_first(best: &mut Vec<(ItemPosition, Item)>, count: usize) {
    let order = |a: &(ItemPosition, Item), b: &(ItemPosition, Item)| {
        a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal)
    };
    if best.len() > count {
        best.select_nth_unstable_by(count - 1, order);
        best.truncate(count);
    }
    best.sort_unstable_by(order);
}

fn cut(items: Vec<Item>, limit: usize, sort: ItemSort) -> Page<Item, ItemPosition> {
    Page::cut(items, limit, |item| ItemPosition::of(item, sort))
}
