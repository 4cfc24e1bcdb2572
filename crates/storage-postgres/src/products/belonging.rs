//! A lot and its product. Products are locked before lots, and both before the first change: a
//! change takes the inventory's next number, for which others wait.

use larder_domain::{
    Belonging, Item, ItemId, Owner, Product, ProductDetails, ProductEffect, ProductId, UserId,
    text::fold,
};
use larder_storage::{MAX_LOTS, Result, Scope, Write};

use super::row::{ProductRow, query_products};
use crate::{
    failure::Failure,
    ids::{inventory_id, uuid},
    items::{ItemRow, OwnerColumns, days, query_items},
    transaction::Transaction,
    types::Instant,
};

impl Transaction {
    /// The product of this folded name, locked.
    pub(crate) async fn lock_product_named(
        &mut self,
        owner: Owner,
        folded: &str,
    ) -> Result<Option<Product>, Failure> {
        let row = match owner {
            Owner::Household(household) => {
                query_products!(
                    "WHERE p.household_id = $1 AND p.name_folded = fn_folded_key($2)
                     FOR NO KEY UPDATE",
                    uuid(household),
                    folded,
                )
                .fetch_optional(self)
                .await?
            }
            Owner::User(user) => {
                query_products!(
                    "WHERE p.household_id IS NULL AND p.created_by = $1
                     AND p.name_folded = fn_folded_key($2)
                     FOR NO KEY UPDATE",
                    uuid(user),
                    folded,
                )
                .fetch_optional(self)
                .await?
            }
        };
        Ok(row.map(ProductRow::into_product).transpose()?)
    }

    /// The product of an item, and the one of this folded name, both locked.
    pub(crate) async fn lock_products(
        &mut self,
        owner: Owner,
        item: ItemId,
        folded: &str,
    ) -> Result<Vec<Product>, Failure> {
        let rows = match owner {
            Owner::Household(household) => {
                query_products!(
                    "WHERE p.household_id = $1 AND (p.name_folded = fn_folded_key($2)
                         OR p.id = (SELECT i.product_id FROM inventory_items i WHERE i.id = $3))
                     ORDER BY p.id FOR NO KEY UPDATE",
                    uuid(household),
                    folded,
                    uuid(item),
                )
                .fetch_all(self)
                .await?
            }
            Owner::User(user) => {
                query_products!(
                    "WHERE p.household_id IS NULL AND p.created_by = $1
                     AND (p.name_folded = fn_folded_key($2)
                         OR p.id = (SELECT i.product_id FROM inventory_items i WHERE i.id = $3))
                     ORDER BY p.id FOR NO KEY UPDATE",
                    uuid(user),
                    folded,
                    uuid(item),
                )
                .fetch_all(self)
                .await?
            }
        };
        Ok(rows.into_iter().map(ProductRow::into_product).collect::<Result<_>>()?)
    }

    /// A product by its id, and the one of this folded name, both locked.
    pub(super) async fn lock_by_id_or_name(
        &mut self,
        scope: Scope,
        id: ProductId,
        folded: &str,
    ) -> Result<Vec<Product>, Failure> {
        let owner = OwnerColumns::of(scope);
        let rows = query_products!(
            "WHERE (p.household_id = $1 OR (p.household_id IS NULL AND p.created_by = $2))
             AND (p.id = $3 OR p.name_folded = fn_folded_key($4))
             ORDER BY p.id FOR NO KEY UPDATE",
            owner.household,
            owner.person,
            uuid(id),
            folded,
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(ProductRow::into_product).collect::<Result<_>>()?)
    }

    /// The lots of these products, locked in the order of their ids.
    pub(crate) async fn lock_lots(&mut self, products: &[ProductId]) -> Result<Vec<Item>, Failure> {
        let ids: Vec<_> = products.iter().map(|id| uuid(*id)).collect();
        let rows = query_items!(
            "SELECT",
            "FROM inventory_items i WHERE i.product_id = ANY ($1) ORDER BY i.id FOR UPDATE",
            &ids,
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(ItemRow::into_item).collect::<Result<_>>()?)
    }

    /// Writes the product of a lot that was written.
    pub(crate) async fn write_product_of(&mut self, belonging: &Belonging) -> Result<(), Failure> {
        match belonging.effect {
            ProductEffect::None => Ok(()),
            ProductEffect::Made => self.insert_product(&belonging.product).await,
            ProductEffect::Learned | ProductEffect::Renamed => {
                match self.write_product(&belonging.product).await {
                    Err(Failure::Constraint(name)) if name.starts_with("idx_products_name") => {
                        Err(Failure::Conflict("the name was taken meanwhile".to_owned()))
                    }
                    written => written,
                }
            }
        }
    }

    /// Whether a product has no room for one more lot.
    pub(crate) async fn is_full(&mut self, product: ProductId) -> Result<bool, Failure> {
        Ok(self.count_lots(product).await? >= MAX_LOTS)
    }

    pub(crate) async fn count_lots(&mut self, product: ProductId) -> Result<usize, Failure> {
        let count = sqlx::query_scalar!(
            r#"SELECT count(*) AS "count!" FROM inventory_items WHERE product_id = $1"#,
            uuid(product),
        )
        .fetch_one(self)
        .await?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Tells the lots of a product what it says, except one. All are locked, and have its name in
    /// some spelling.
    pub(crate) async fn tell_lots(
        &mut self,
        product: &Product,
        except: Option<ItemId>,
        by: UserId,
        write: Write<'_>,
    ) -> Result<(), Failure> {
        let ProductDetails { name, preferred_store, .. } = &product.details;
        let details = &product.details;
        let told = sqlx::query_scalar!(
            "UPDATE inventory_items i
             SET name = $3, name_folded = fn_folded_key($2), preferred_store_id = $4, low_stock_threshold = $5::bigint / 100.0,
                 desired_quantity = $6::bigint / 100.0, shelf_life_days = $7,
                 opened_shelf_life_days = $8, version = i.version + 1, updated_by = $9,
                 updated_at = $10, photo = $12
             WHERE i.product_id = $1 AND i.id IS DISTINCT FROM $11
             AND (i.name, i.preferred_store_id, i.low_stock_threshold, i.desired_quantity,
                     i.shelf_life_days, i.opened_shelf_life_days, i.photo)
                 IS DISTINCT FROM ($3, $4, $5::bigint / 100.0, $6::bigint / 100.0, $7, $8, $12)
             RETURNING i.id",
            uuid(product.id),
            fold(name.as_str()),
            name.as_str(),
            preferred_store.map(uuid),
            details.low_stock_threshold.map(larder_domain::Quantity::hundredths),
            details.desired_quantity.map(larder_domain::Quantity::hundredths),
            days(details.shelf_life),
            days(details.opened_shelf_life),
            uuid(by),
            Instant(write.at) as _,
            except.map(uuid),
            details.photo.map(|photo| photo.to_string()),
        )
        .fetch_all(&mut *self)
        .await?;
        if let Owner::Household(household) = product.owner {
            for lot in told {
                self.rename_tags(household, crate::ids::domain_id(lot), name).await?;
            }
        }
        Ok(())
    }

    /// Gives a lot of a locked product another name or another product.
    pub(crate) async fn rename_lot(&mut self, lot: &Item, changed: &Item) -> Result<(), Failure> {
        self.write_details(changed).await?;
        let folded = changed.details.merge_key().name;
        if lot.details.merge_key().name != folded {
            self.replace_words(inventory_id(changed.owner), changed.id, &folded).await?;
        }
        if let Owner::Household(household) = changed.owner
            && lot.details.name != changed.details.name
        {
            self.rename_tags(household, changed.id, &changed.details.name).await?;
        }
        Ok(())
    }
}
