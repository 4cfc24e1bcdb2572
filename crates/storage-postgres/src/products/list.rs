//! Lists of products. By name the index gives the order; by total the sums of all are needed.

use std::collections::HashMap;

use jiff::civil::Date;
use larder_domain::{
    Item, ItemFilter, ItemPosition, ItemSort, Owner, Product, ProductDetails, ProductFilter,
    ProductId, ProductPosition, ProductSort,
};
use larder_storage::{Page, Result, Scope, StockRow, StockedProduct, StorageError};
use sqlx::{Postgres, QueryBuilder};

use super::row::{ProductRow, SELECT_PRODUCTS};
use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, ids::uuid,
    inventory::list_first_lots, items::ItemRow,
};

/// How many products a filtered list reads at once.
const READ_AT_ONCE: usize = 500;

impl PostgresStore {
    pub(super) async fn list_products_page(
        &self,
        scope: Scope,
        filter: &ProductFilter,
        sort: ProductSort,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ProductPosition>> {
        if after.is_some_and(|after| after.sort() != sort) {
            return Err(StorageError::Defect("a position of another order".to_owned()));
        }
        let stocked = self.retry(|| async move {
            match (sort, after) {
                (ProductSort::Name, after) => self.by_name(scope, filter, after, limit).await,
                (ProductSort::Total, after) => self.by_total(scope, filter, after, limit).await,
            }
        });
        Ok(Page::cut(stocked.await?, limit, |it| position(it, sort)))
    }

    async fn by_name(
        &self,
        scope: Scope,
        filter: &ProductFilter,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Vec<StockedProduct>, Failure> {
        let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
        let mut start = after.cloned();
        let mut found: Vec<Product> = Vec::new();
        let at_once = if filter.is_open() { limit } else { READ_AT_ONCE };
        loop {
            let mut query = list_products(scope, start.as_ref(), at_once);
            let rows = query.build_query_as::<ProductRow>().fetch_all(&mut transaction).await?;
            let is_last = rows.len() <= at_once;
            let read = rows.into_iter().map(ProductRow::into_product);
            let read = read.collect::<Result<Vec<_>>>()?;
            let last = read.last().map(|last| ProductPosition::of(last, [], ProductSort::Name));
            found.extend(read.into_iter().filter(|product| filter.matches(product)));
            if is_last || found.len() > limit {
                break;
            }
            start = last;
        }
        found.truncate(limit + 1);
        let ids: Vec<ProductId> = found.iter().map(|product| product.id).collect();
        let lots = transaction.lots_of(&ids).await?;
        Ok(stock(found, lots))
    }

    async fn by_total(
        &self,
        scope: Scope,
        filter: &ProductFilter,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Vec<StockedProduct>, Failure> {
        let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
        let mut query = list_products(scope, None, usize::MAX);
        let rows = query.build_query_as::<ProductRow>().fetch_all(&mut transaction).await?;
        let products = rows.into_iter().map(ProductRow::into_product);
        let mut products = products.collect::<Result<Vec<_>>>()?;
        products.retain(|product| filter.matches(product));
        let ids: Vec<ProductId> = products.iter().map(|product| product.id).collect();
        let lots = transaction.lots_of(&ids).await?;
        let mut stocked = stock(products, lots);
        let sort = ProductSort::Total;
        stocked.retain(|it| after.is_none_or(|after| position(it, sort) > *after));
        stocked.sort_by(|a, b| {
            let (a, b) = (position(a, sort), position(b, sort));
            a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
        });
        stocked.truncate(limit + 1);
        Ok(stocked)
    }
}

impl PostgresStore {
    pub(super) async fn lots_page(
        &self,
        scope: Scope,
        (filter, today): (&ItemFilter, Date),
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockRow, ItemPosition>> {
        if after.is_some_and(|after| after.sort() != sort) {
            return Err(StorageError::Defect("a position of another order".to_owned()));
        }
        let found = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let mut query = list_first_lots(scope, (filter, today), sort, after, limit);
            let rows = query.build_query_as::<ItemRow>().fetch_all(&mut transaction).await?;
            let firsts = rows.into_iter().map(ItemRow::into_item).collect::<Result<Vec<_>>>()?;
            let ids: Vec<ProductId> = firsts.iter().filter_map(|lot| lot.product).collect();
            let mut lots = transaction.lots_of(&ids).await?;
            lots.retain(|lot| filter.matches(lot, today));
            let products = transaction.products_by_id(&ids).await?;
            Ok((firsts, stock(products, lots)))
        });
        let (firsts, stocked) = found.await?;
        let mut by_id: HashMap<ProductId, StockedProduct> =
            stocked.into_iter().map(|it| (it.product.id, it)).collect();
        let rows = firsts.into_iter().filter_map(|first| {
            let StockedProduct { product, lots } = by_id.remove(&first.product?)?;
            let ProductDetails { unit, photo, .. } = product.details;
            let row = StockRow { product: product.id, unit, photo, lots };
            Some((ItemPosition::of(&first, sort), row))
        });
        let Page { items, next } = Page::cut(rows.collect(), limit, |(at, _)| at.clone());
        Ok(Page { items: items.into_iter().map(|(_, row)| row).collect(), next })
    }
}

fn position(stocked: &StockedProduct, sort: ProductSort) -> ProductPosition {
    ProductPosition::of(&stocked.product, stocked.lots.iter().map(|lot| &lot.details), sort)
}

/// Products with their lots, which are in order.
fn stock(products: Vec<Product>, lots: Vec<Item>) -> Vec<StockedProduct> {
    let mut by_product: HashMap<Option<ProductId>, Vec<Item>> = HashMap::new();
    for lot in lots {
        by_product.entry(lot.product).or_default().push(lot);
    }
    let stock = |product: Product| {
        let lots = by_product.remove(&Some(product.id)).unwrap_or_default();
        StockedProduct { product, lots }
    };
    products.into_iter().map(stock).collect()
}

/// The statement that reads a page by name, and one more product.
fn list_products(
    scope: Scope,
    after: Option<&ProductPosition>,
    limit: usize,
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new(SELECT_PRODUCTS);
    match scope.owner() {
        Owner::Household(household) => {
            query.push("WHERE p.household_id = ").push_bind(uuid(household));
        }
        Owner::User(user) => {
            query.push("WHERE p.household_id IS NULL AND p.created_by = ").push_bind(uuid(user));
        }
    }
    if let Some(ProductPosition::Name(name, id)) = after {
        query.push(" AND (p.name_folded, p.id) > (fn_folded_key(").push_bind(name.clone());
        query.push("), ").push_bind(uuid(*id)).push(")");
    }
    query.push(" ORDER BY p.name_folded, p.id LIMIT ").push_bind(one_more(limit));
    query
}
