//! The barcodes of products: a row per code, claimed in the transaction of its product.

use larder_domain::{Barcodes, Gtin, Owner, Product, ProductId};
use larder_storage::{Result, Scope};

use super::row::{ProductRow, query_products};
use crate::{failure::Failure, ids::uuid, items::OwnerColumns, transaction::Transaction};

fn padded(codes: &Barcodes) -> Vec<String> {
    codes.iter().map(Gtin::padded).collect()
}

impl Transaction {
    /// The product with this barcode.
    pub(super) async fn product_with(
        &mut self,
        scope: Scope,
        code: &Gtin,
    ) -> Result<Option<Product>, Failure> {
        let owner = OwnerColumns::of(scope);
        let row = query_products!(
            "JOIN product_barcodes b ON b.product_id = p.id
             WHERE b.gtin = $1
             AND (b.household_id = $2 OR (b.household_id IS NULL AND b.created_by = $3))",
            code.padded(),
            owner.household,
            owner.person,
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ProductRow::into_product).transpose()?)
    }

    /// Gives a locked product the claims of its barcodes, and ends those of others. Returns another
    /// product that has one of them: then the caller must not commit.
    pub(crate) async fn claim_barcodes(
        &mut self,
        product: &Product,
    ) -> Result<Option<Product>, Failure> {
        let codes = padded(&product.details.barcodes);
        let household = match product.owner {
            Owner::Household(household) => Some(uuid(household)),
            Owner::User(_) => None,
        };
        sqlx::query!(
            "DELETE FROM product_barcodes WHERE product_id = $1 AND gtin <> ALL ($2)",
            uuid(product.id),
            &codes,
        )
        .execute(&mut *self)
        .await?;
        // In order, so that two who claim the same codes wait for each other only one way.
        sqlx::query!(
            "INSERT INTO product_barcodes (product_id, household_id, created_by, gtin)
             SELECT $1, $2, $3, gtin FROM unnest($4::text[]) AS gtin ORDER BY gtin
             ON CONFLICT DO NOTHING",
            uuid(product.id),
            household,
            uuid(product.created_by),
            &codes,
        )
        .execute(&mut *self)
        .await?;
        let row = query_products!(
            "WHERE p.id IN (
                 SELECT b.product_id FROM product_barcodes b
                 WHERE b.gtin = ANY ($1) AND b.product_id <> $2
                 AND (b.household_id = $3 OR (b.household_id IS NULL AND $3 IS NULL
                     AND b.created_by = $4)))
             LIMIT 1",
            &codes,
            uuid(product.id),
            household,
            uuid(product.created_by),
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ProductRow::into_product).transpose()?)
    }

    /// Passes the barcodes of a product on to another of the inventory. Both are locked.
    pub(super) async fn pass_barcodes(
        &mut self,
        from: ProductId,
        to: ProductId,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE product_barcodes SET product_id = $2 WHERE product_id = $1",
            uuid(from),
            uuid(to),
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Those of these barcodes that no product of the inventory has.
    pub(crate) async fn free_barcodes(
        &mut self,
        scope: Scope,
        codes: &Barcodes,
    ) -> Result<Barcodes, Failure> {
        let owner = OwnerColumns::of(scope);
        let taken = sqlx::query_scalar!(
            "SELECT gtin FROM product_barcodes b
             WHERE (b.household_id = $1 OR (b.household_id IS NULL AND b.created_by = $2))
             AND b.gtin = ANY ($3)",
            owner.household,
            owner.person,
            &padded(codes),
        )
        .fetch_all(self)
        .await?;
        Ok(codes.filtered(|code| !taken.contains(&code.padded())))
    }
}
