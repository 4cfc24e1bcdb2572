//! Lists of products in stock. A product stands where the first of its matching lots stands in the
//! list of items: in an order that the engine indexes, lots are read until a page is full; otherwise
//! the inventory is read once.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use jiff::civil::Date;
use larder_domain::{
    Item, ItemFilter, ItemId, ItemPosition, ItemSort, Owner, PhotoId, Product, ProductId, Unit,
    first_to_expire_first,
};
use larder_storage::{Page, Result, StockRow};

use super::ItemStore;
use crate::{
    Key, MAX_ACTIONS, MAX_QUERY_LIMIT, Record, RecordEngine, Table,
    item_order::{check_order, items_in_order},
    layout::{
        item, keys,
        product::{self, Lots},
    },
};

fn compare(a: &ItemPosition, b: &ItemPosition) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

fn matches((filter, today): (&ItemFilter, Date), lot: &Item) -> bool {
    filter.matches(lot, today)
}

/// The position of the first of these lots.
fn first_position(lots: &[Item], sort: ItemSort) -> Option<ItemPosition> {
    lots.iter().map(|lot| ItemPosition::of(lot, sort)).min_by(compare)
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn lots_page(
        &self,
        owner: Owner,
        filter: (&ItemFilter, Date),
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockRow, ItemPosition>> {
        let rows = if self.is_indexed(sort) {
            self.indexed_lots(owner, filter, sort, after, limit).await?
        } else {
            self.sorted_lots(owner, filter, sort, after, limit).await?
        };
        let Page { items, next } = Page::cut(rows, limit, |(at, _)| at.clone());
        Ok(Page { items: items.into_iter().map(|(_, row)| row).collect(), next })
    }

    /// Products by their first lot, after a position, until there is one more than a page.
    async fn indexed_lots(
        &self,
        owner: Owner,
        filter: (&ItemFilter, Date),
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Vec<(ItemPosition, StockRow)>> {
        let read = (limit + 1).min(MAX_QUERY_LIMIT);
        let mut query = items_in_order(owner, sort, after, read)?;
        let (mut rows, mut seen) = (Vec::new(), HashSet::new());
        loop {
            let page = self.engine.query(&query).await?;
            let read = page.records.iter().map(item::from_record).collect::<Result<Vec<_>>>()?;
            // The products that are met here, in order. Later lots of one stand behind its first.
            let (mut ids, mut firsts) = (Vec::new(), Vec::new());
            for lot in read.iter().filter(|lot| matches(filter, lot)) {
                if let Some(id) = lot.product.filter(|id| seen.insert(*id)) {
                    ids.push(id);
                    firsts.push(ItemPosition::of(lot, sort));
                }
            }
            let met = self.stock_rows(owner, &ids, read, filter).await?;
            for (at, row) in firsts.into_iter().zip(met) {
                // A product whose first lot stands before the page was on an earlier one.
                let is_here =
                    |row: &StockRow| first_position(&row.lots, sort).as_ref() == Some(&at);
                rows.extend(row.filter(is_here).map(|row| (at.clone(), row)));
            }
            match page.next {
                Some(next) if rows.len() <= limit => query.start_after = Some(next),
                _ => return Ok(rows),
            }
        }
    }

    async fn sorted_lots(
        &self,
        owner: Owner,
        filter: (&ItemFilter, Date),
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Vec<(ItemPosition, StockRow)>> {
        check_order(sort, after)?;
        let mut firsts: HashMap<ProductId, ItemPosition> = HashMap::new();
        let mut query = items_in_order(owner, ItemSort::Created, None, MAX_QUERY_LIMIT)?;
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let lot = item::from_record(record)?;
                let Some(product) = lot.product.filter(|_| matches(filter, &lot)) else { continue };
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
        let rows = self.stock_rows(owner, &ids, Vec::new(), filter).await?.into_iter().flatten();
        let mut rows: Vec<(ItemPosition, StockRow)> =
            rows.filter_map(|row| Some((first_position(&row.lots, sort)?, row))).collect();
        rows.sort_by(|a, b| compare(&a.0, &b.0));
        Ok(rows)
    }

    /// These products with their matching lots, of which some are read already. `None` for one
    /// without, or that is being joined to another.
    async fn stock_rows(
        &self,
        owner: Owner,
        ids: &[ProductId],
        read: Vec<Item>,
        filter: (&ItemFilter, Date),
    ) -> Result<Vec<Option<StockRow>>> {
        let records = self.get_each(&keys::lots_of_products(owner, ids)).await?;
        let listed = records.iter().map(|it| it.as_ref().map(Lots::from_record).transpose());
        let listed = listed.collect::<Result<Vec<_>>>()?;
        // Lots are large: they stay in place until they go into their row.
        let mut known: Vec<Option<Item>> = read.into_iter().map(Some).collect();
        let places = known.iter().flatten().enumerate().map(|(at, lot)| (lot.id, at));
        let mut places: HashMap<ItemId, usize> = places.collect();
        let missing = listed.iter().flatten().flat_map(|lots| &lots.ids);
        let missing: Vec<_> = missing.filter(|id| !places.contains_key(id)).copied().collect();
        for lot in self.items_by_id(owner, &missing).await? {
            places.insert(lot.id, known.len());
            known.push(Some(lot));
        }
        let without_unit = |lots: &&Option<Lots>| lots.as_ref().is_some_and(|it| it.unit.is_none());
        let asked = ids.iter().zip(&listed).filter(|(_, lots)| without_unit(lots));
        let mut looks = self.looks_of(owner, asked.map(|(id, _)| *id)).await?;
        let row = |(id, lots): (&ProductId, Option<Lots>)| {
            let Lots { ids, unit, photo } = lots?;
            let (unit, photo) = match unit {
                Some(unit) => (unit, photo),
                None => looks.remove(id)?,
            };
            let lots = ids.iter().filter_map(|id| known.get_mut(*places.get(id)?)?.take());
            let mut lots: Vec<Item> = lots.filter(|lot| matches(filter, lot)).collect();
            lots.sort_by(first_to_expire_first);
            (!lots.is_empty()).then_some(StockRow { product: *id, unit, photo, lots })
        };
        Ok(ids.iter().zip(listed).map(row).collect())
    }

    /// The units and photos that these products have; not of those that are being joined to others.
    async fn looks_of(
        &self,
        owner: Owner,
        ids: impl Iterator<Item = ProductId>,
    ) -> Result<HashMap<ProductId, (Unit, Option<PhotoId>)>> {
        let products = self.get_all(ids.map(|id| keys::product(owner, id))).await?;
        let products = products.iter().filter(|record| !product::is_joining(record));
        products
            .map(|record| {
                let Product { id, details, .. } = product::from_record(record)?;
                Ok((id, (details.unit, details.photo)))
            })
            .collect()
    }

    /// Those of these records that exist, in no order.
    pub(super) async fn get_all(&self, keys: impl Iterator<Item = Key>) -> Result<Vec<Record>> {
        let keys: Vec<Key> = keys.collect();
        Ok(self.get_each(&keys).await?.into_iter().flatten().collect())
    }

    /// Each of these records, if it exists.
    async fn get_each(&self, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        let mut records = Vec::with_capacity(keys.len());
        for keys in keys.chunks(MAX_ACTIONS) {
            records.extend(self.engine.get_many(Table::InventoryManagement, keys).await?);
        }
        Ok(records)
    }
}
