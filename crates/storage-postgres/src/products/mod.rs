//! Products, and their lots together.

mod barcodes;
mod belonging;
mod list;
mod photos;
mod replace;
pub(crate) mod row;

use async_trait::async_trait;
use jiff::civil::Date;
use larder_domain::{
    ConsumeError, Gtin, Item, ItemFilter, ItemName, ItemPosition, ItemSort, LowProducts, Product,
    ProductDetails, ProductFilter, ProductId, ProductPosition, ProductSort, Quantity, StockLevel,
    Taken, Unit, Versions, first_to_expire_first, plan_consumption, text::fold,
};
use larder_storage::{
    Consume, DeleteProduct, Page, ProductChange, Products, ReplaceProduct, Result, Scope, StockRow,
    StockedProduct, SystemScope, Write, WriteKind,
};

use crate::{
    PostgresStore,
    context::Context,
    database::one_more,
    failure::Failure,
    feed::number,
    ids::{domain_id, inventory_id, uuid},
    items::{ItemRow, OwnerColumns, query_items},
    json,
    transaction::Transaction,
    types::Instant,
};

pub(crate) use row::UPDATABLE_COLUMNS;
use row::{ProductRow, query_products};

#[async_trait]
impl Products for PostgresStore {
    async fn find_product(&self, scope: Scope, id: ProductId) -> Result<Option<StockedProduct>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let Some(product) = transaction.product(scope, id).await? else { return Ok(None) };
            let lots = transaction.lots_of(&[id]).await?;
            Ok(Some(StockedProduct { product, lots }))
        })
        .await
    }

    async fn find_product_named(&self, scope: Scope, name: &ItemName) -> Result<Option<Product>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let owner = OwnerColumns::of(scope);
            let row = query_products!(
                "WHERE p.name_folded = fn_folded_key($1)
                 AND (p.household_id = $2 OR (p.household_id IS NULL AND p.created_by = $3))",
                fold(name.as_str()),
                owner.household,
                owner.person,
            );
            let row = row.fetch_optional(&mut transaction).await?;
            Ok(row.map(ProductRow::into_product).transpose()?)
        })
        .await
    }

    async fn find_product_by_barcode(&self, scope: Scope, code: &Gtin) -> Result<Option<Product>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            transaction.product_with(scope, code).await
        })
        .await
    }

    async fn list_products(
        &self,
        scope: Scope,
        filter: &ProductFilter,
        sort: ProductSort,
        after: Option<&ProductPosition>,
        limit: usize,
    ) -> Result<Page<StockedProduct, ProductPosition>> {
        self.list_products_page(scope, filter, sort, after, limit).await
    }

    async fn list_lots(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<StockRow, ItemPosition>> {
        self.lots_page(scope, (filter, today), sort, after, limit).await
    }

    async fn low_products(&self, scope: Scope) -> Result<LowProducts> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            transaction.low_products(OwnerColumns::of(scope)).await
        })
        .await
    }

    async fn is_low(&self, scope: SystemScope, id: ProductId) -> Result<bool> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_system(scope)).await?;
            let products = transaction.products_by_id(&[id]).await?;
            let lots = transaction.lots_of(&[id]).await?;
            let level = products.first().and_then(|it| StockLevel::of(&it.details, &lots));
            Ok(level.is_some_and(|level| level.is_low()))
        })
        .await
    }

    async fn replace_product(
        &self,
        scope: Scope,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        write: Write<'_>,
    ) -> Result<ReplaceProduct> {
        let attempt = || self.replace_known(scope, id, version, details, join, write);
        self.retry_change(inventory_id(scope.owner()), attempt).await
    }

    async fn delete_product(
        &self,
        scope: Scope,
        id: ProductId,
        write: Write<'_>,
    ) -> Result<DeleteProduct> {
        self.retry_change(inventory_id(scope.owner()), || async move {
            let context = Context::of_scope(scope).at(write.at);
            let mut transaction = self.database.write(&context).await?;
            if transaction.lock_product(OwnerColumns::of(scope), id).await?.is_none() {
                return Ok(DeleteProduct::NotFound);
            }
            let lots = transaction.lots_of(&[id]).await?.len();
            if lots > 0 {
                return Ok(DeleteProduct::HasLots(lots as u64));
            }
            sqlx::query!("DELETE FROM products WHERE id = $1", uuid(id))
                .execute(&mut transaction)
                .await?;
            transaction.commit().await?;
            Ok(DeleteProduct::Deleted)
        })
        .await
    }

    async fn consume(
        &self,
        scope: Scope,
        id: ProductId,
        quantity: Quantity,
        unit: Option<&Unit>,
        write: Write<'_>,
    ) -> Result<Consume> {
        let attempt = || self.consume_lots(scope, id, quantity, unit, write);
        self.retry_change(inventory_id(scope.owner()), attempt).await
    }

    async fn product_history(
        &self,
        scope: Scope,
        id: ProductId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ProductChange, u64>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let before =
                before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
            let rows = sqlx::query!(
                r#"SELECT sequence, changed_at AS "changed_at: Instant", changed_by,
                          old_values::text, new_values::text
                   FROM outbox
                   WHERE entity = 'product' AND entity_id = $1 AND inventory_id = $2
                   AND sequence < $3
                   ORDER BY sequence DESC LIMIT $4"#,
                uuid(id),
                inventory_id(scope.owner()),
                before,
                one_more(limit),
            )
            .fetch_all(&mut transaction)
            .await?;
            let decode = |image: Option<String>| image.map(|text| json::decode(&text)).transpose();
            let mut changes = Vec::with_capacity(rows.len());
            for row in rows {
                changes.push(ProductChange {
                    sequence: number(row.sequence)?,
                    at: row.changed_at.0,
                    by: row.changed_by.map(domain_id),
                    versions: Versions {
                        old: decode(row.old_values)?,
                        new: decode(row.new_values)?,
                    },
                });
            }
            Ok(Page::cut(changes, limit, |change| change.sequence))
        })
        .await
    }
}

impl PostgresStore {
    async fn consume_lots(
        &self,
        scope: Scope,
        id: ProductId,
        quantity: Quantity,
        unit: Option<&Unit>,
        write: Write<'_>,
    ) -> Result<Consume, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let Some(product) = transaction.product(scope, id).await? else {
            return Ok(Consume::NotFound);
        };
        let mut lots = transaction.lock_lots(&[id]).await?;
        lots.sort_by(first_to_expire_first);
        let consumed =
            match plan_consumption(&lots, quantity, unit.unwrap_or(&product.details.unit)) {
                Ok(consumed) => consumed,
                Err(ConsumeError::UnitMismatch) => return Ok(Consume::UnitMismatch),
                Err(ConsumeError::NotExact) => return Ok(Consume::NotExact),
            };
        let mut items = Vec::with_capacity(consumed.taken.0.len());
        for taken in &consumed.taken.0 {
            items.push(transaction.take(scope, *taken, write).await?);
        }
        let kind = WriteKind::consumed(&consumed);
        transaction.commit_with(scope.actor(), write, kind, &consumed).await?;
        Ok(Consume::Done { consumed, items })
    }
}

impl Transaction {
    async fn product(&mut self, scope: Scope, id: ProductId) -> Result<Option<Product>, Failure> {
        let owner = OwnerColumns::of(scope);
        let row = query_products!(
            "WHERE p.id = $1
             AND (p.household_id = $2 OR (p.household_id IS NULL AND p.created_by = $3))",
            uuid(id),
            owner.household,
            owner.person,
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ProductRow::into_product).transpose()?)
    }

    /// Those of these products that exist.
    async fn products_by_id(&mut self, ids: &[ProductId]) -> Result<Vec<Product>, Failure> {
        let ids: Vec<_> = ids.iter().map(|id| uuid(*id)).collect();
        let rows = query_products!("WHERE p.id = ANY ($1)", &ids).fetch_all(self).await?;
        Ok(rows.into_iter().map(ProductRow::into_product).collect::<Result<_>>()?)
    }

    /// The products whose stock is low.
    pub(crate) async fn low_products(
        &mut self,
        owner: OwnerColumns,
    ) -> Result<LowProducts, Failure> {
        let rows = query_items!(
            "SELECT",
            "FROM inventory_items i WHERE i.low_stock_threshold IS NOT NULL
             AND (i.household_id = $1 OR (i.household_id IS NULL AND i.created_by = $2))",
            owner.household,
            owner.person,
        );
        let rows = rows.fetch_all(&mut *self).await?;
        let lots = rows.into_iter().map(ItemRow::into_item).collect::<Result<Vec<_>>>()?;
        let mut ids: Vec<ProductId> = lots.iter().filter_map(|lot| lot.product).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(LowProducts::of(&self.products_by_id(&ids).await?, &lots))
    }

    /// Locks a product. No lot can be added meanwhile.
    pub(crate) async fn lock_product(
        &mut self,
        owner: OwnerColumns,
        id: ProductId,
    ) -> Result<Option<Product>, Failure> {
        let row = query_products!(
            "WHERE p.id = $1
             AND (p.household_id = $2 OR (p.household_id IS NULL AND p.created_by = $3))
             FOR UPDATE",
            uuid(id),
            owner.household,
            owner.person,
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ProductRow::into_product).transpose()?)
    }

    /// The lots of these products, the first to expire first.
    async fn lots_of(&mut self, products: &[ProductId]) -> Result<Vec<Item>, Failure> {
        let ids: Vec<_> = products.iter().map(|id| uuid(*id)).collect();
        let rows =
            query_items!("SELECT", "FROM inventory_items i WHERE i.product_id = ANY ($1)", &ids,)
                .fetch_all(self)
                .await?;
        let mut lots = rows.into_iter().map(ItemRow::into_item).collect::<Result<Vec<_>>>()?;
        lots.sort_by(first_to_expire_first);
        Ok(lots)
    }

    /// Takes from a lot that is locked.
    async fn take(
        &mut self,
        scope: Scope,
        taken: Taken,
        write: Write<'_>,
    ) -> Result<Item, Failure> {
        let row = query_items!(
            "UPDATE inventory_items i
             SET quantity = i.quantity + $2::bigint / 100.0, version = i.version + 1,
                 updated_by = $3, updated_at = $4
             WHERE i.id = $1
             RETURNING",
            "",
            uuid(taken.item),
            taken.applied_hundredths,
            uuid(scope.actor()),
            Instant(write.at) as _,
        );
        Ok(row.fetch_one(self).await?.into_item()?)
    }
}
