//! Lists of products in stock. A product stands where the first of its matching lots stands in the
//! list of items: newest first, lots are read until a page is full; the other orders read the
//! inventory once.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use larder_domain::{
    Item, ItemPosition, ItemSort, LotFilter, Owner, Product, ProductId, first_to_expire_first,
};
use larder_storage::{Page, Result, StockedProduct, StorageError};

use super::ItemStore;
use crate::{
    Key, MAX_ACTIONS, MAX_QUERY_LIMIT, Record, RecordEngine, Table,
    layout::{
        item, keys,
        product::{self, Lots},
    },
};

fn compare(a: &ItemPosition, b: &ItemPosition) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

/// The position of the first of these lots.
fn first_position(lots: &[Item], sort: ItemSort) -> Option<ItemPosition> {
    lots.iter().map(|lot| ItemPosition::of(lot, sort)).min_by(compare)
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn lots_page(
        &self,
        owner: Owner,
        filter: &LotFilter,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ItemPosition>> {
        if after.is_some_and(|after| after.sort() != sort) {
            return Err(StorageError::Defect("a position of another order".to_owned()));
        }
        let rows = match (sort, after) {
            (ItemSort::Created, Some(ItemPosition::Created(at, id))) => {
                let start = keys::item_position(owner, *at, *id);
                self.newest_lots(owner, filter, Some(start), limit).await?
            }
            (ItemSort::Created, _) => self.newest_lots(owner, filter, None, limit).await?,
            (ItemSort::Name | ItemSort::Expiration, after) => {
                self.sorted_lots(owner, filter, sort, after, limit).await?
            }
        };
        let Page { items, next } = Page::cut(rows, limit, |(at, _)| at.clone());
        Ok(Page { items: items.into_iter().map(|(_, stocked)| stocked).collect(), next })
    }

    /// Products by their newest lot, after a position, until there is one more than a page.
    async fn newest_lots(
        &self,
        owner: Owner,
        filter: &LotFilter,
        start: Option<crate::Position>,
        limit: usize,
    ) -> Result<Vec<(ItemPosition, StockedProduct)>> {
        let mut query = keys::items_newest_first(owner, (limit + 1).min(MAX_QUERY_LIMIT));
        query.start_after = start;
        let (mut rows, mut seen) = (Vec::new(), HashSet::new());
        loop {
            let page = self.engine.query(&query).await?;
            let read = page.records.iter().map(item::from_record).collect::<Result<Vec<_>>>()?;
            let mut firsts = Vec::new();
            for lot in read.iter().filter(|lot| filter.matches(lot)) {
                // Later lots of a product that was met stand behind its first.
                if lot.product.is_some_and(|id| seen.insert(id)) {
                    firsts.push(ItemPosition::of(lot, ItemSort::Created));
                }
            }
            let ids: Vec<ProductId> = read.iter().filter_map(|lot| lot.product).collect();
            let stocked = self.stocked_many(owner, &ids, &read, filter).await?;
            for (at, stocked) in placed(stocked, ItemSort::Created) {
                // A product whose first lot stands before the page was on an earlier one.
                if firsts.contains(&at) {
                    rows.push((at, stocked));
                }
            }
            match page.next {
                Some(next) if rows.len() <= limit => query.start_after = Some(next),
                _ => {
                    rows.sort_by(|a, b| compare(&a.0, &b.0));
                    return Ok(rows);
                }
            }
        }
    }

    async fn sorted_lots(
        &self,
        owner: Owner,
        filter: &LotFilter,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Vec<(ItemPosition, StockedProduct)>> {
        let mut firsts: HashMap<ProductId, ItemPosition> = HashMap::new();
        let mut query = keys::items_newest_first(owner, MAX_QUERY_LIMIT);
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let lot = item::from_record(record)?;
                let Some(product) = lot.product.filter(|_| filter.matches(&lot)) else { continue };
                let position = ItemPosition::of(&lot, sort);
                match firsts.get_mut(&product) {
                    Some(first) if *first > position => *first = position,
                    Some(_) => {}
                    None => drop(firsts.insert(product, position)),
                }
            }
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => break,
            }
            // Reads run on this thread: yield between two of them.
            tokio::task::yield_now().await;
        }
        let behind = firsts.into_iter().filter(|(_, at)| after.is_none_or(|after| at > after));
        let mut behind: Vec<(ProductId, ItemPosition)> = behind.collect();
        behind.sort_by(|a, b| compare(&a.1, &b.1));
        behind.truncate(limit + 1);
        let ids: Vec<ProductId> = behind.iter().map(|(id, _)| *id).collect();
        let stocked = self.stocked_many(owner, &ids, &[], filter).await?;
        let mut rows = placed(stocked, sort);
        rows.sort_by(|a, b| compare(&a.0, &b.0));
        Ok(rows)
    }

    /// These products with their matching lots, of which some are read already.
    async fn stocked_many(
        &self,
        owner: Owner,
        ids: &[ProductId],
        read: &[Item],
        filter: &LotFilter,
    ) -> Result<Vec<StockedProduct>> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let products = self.get_all(ids.iter().map(|id| keys::product(owner, *id))).await?;
        let products = products.iter().filter(|record| !product::is_joining(record));
        let products = products.map(product::from_record).collect::<Result<Vec<Product>>>()?;
        let known: HashMap<_, &Item> = read.iter().map(|lot| (lot.id, lot)).collect();
        let mut missing = Vec::new();
        for record in self.get_all(ids.iter().map(|id| keys::product_lots(owner, *id))).await? {
            let lots = Lots::from_record(&record)?.ids;
            missing.extend(lots.into_iter().filter(|id| !known.contains_key(id)));
        }
        let mut lots = self.items_by_id(owner, &missing).await?;
        lots.extend(read.iter().cloned());
        lots.retain(|lot| filter.matches(lot));
        lots.sort_by(first_to_expire_first);
        let mut by_product: HashMap<ProductId, Vec<Item>> = HashMap::new();
        for lot in lots {
            if let Some(product) = lot.product {
                by_product.entry(product).or_default().push(lot);
            }
        }
        let stock = |product: Product| {
            let lots = by_product.remove(&product.id)?;
            Some(StockedProduct { product, lots })
        };
        Ok(products.into_iter().filter_map(stock).collect())
    }

    /// Those of these records that exist, in no order.
    pub(super) async fn get_all(&self, keys: impl Iterator<Item = Key>) -> Result<Vec<Record>> {
        let keys: Vec<Key> = keys.collect();
        let mut records = Vec::with_capacity(keys.len());
        for keys in keys.chunks(MAX_ACTIONS) {
            let found = self.engine.get_many(Table::InventoryManagement, keys).await?;
            records.extend(found.into_iter().flatten());
        }
        Ok(records)
    }
}

/// Each product with the position of its first lot.
fn placed(stocked: Vec<StockedProduct>, sort: ItemSort) -> Vec<(ItemPosition, StockedProduct)> {
    let place = |it: StockedProduct| Some((first_position(&it.lots, sort)?, it));
    stocked.into_iter().filter_map(place).collect()
}
