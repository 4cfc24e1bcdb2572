//! Lists of items. Newest first is the order of the index; the other orders read the inventory once
//! and keep only the page.

use jiff::civil::Date;
use larder_domain::{Item, ItemFilter, ItemPosition, ItemSort};
use larder_storage::{Page, Result, Scope, StorageError};

use super::ItemStore;
use crate::{
    MAX_QUERY_LIMIT, RecordEngine,
    layout::{item, keys},
};

/// How many records a filtered list reads at once at least: few matches should not mean many reads.
const MIN_READ: usize = 100;

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn newest_items(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        let is_unfiltered =
            ItemFilter { include_depleted: true, ..ItemFilter::default() } == *filter;
        let read = if is_unfiltered { limit + 1 } else { (limit + limit / 4 + 1).max(MIN_READ) };
        // A first page reads no more than it shows unless things have run out, which are rare.
        let first_read = if after.is_none() { limit + 1 } else { read };
        let mut query = keys::items_newest_first(scope.owner(), first_read.min(MAX_QUERY_LIMIT));
        query.start_after = match after {
            None => None,
            Some(ItemPosition::Created(at, id)) => {
                Some(keys::item_position(scope.owner(), *at, *id))
            }
            Some(_) => return Err(wrong_order()),
        };
        let mut items = Vec::with_capacity(limit + 1);
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let item = item::from_record(record)?;
                if filter.matches(&item, today) {
                    items.push(item);
                    if items.len() > limit {
                        return Ok(cut(items, limit, ItemSort::Created));
                    }
                }
            }
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => return Ok(cut(items, limit, ItemSort::Created)),
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
        if after.is_some_and(|after| after.sort() != sort) {
            return Err(wrong_order());
        }
        let mut query = keys::items_newest_first(scope.owner(), MAX_QUERY_LIMIT);
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

fn wrong_order() -> StorageError {
    StorageError::Defect("a position of another order".to_owned())
}
