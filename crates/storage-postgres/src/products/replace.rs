//! Changing what is known of a product, under its version, and in all of its lots; and making two
//! products one when one gets the other's name.

use larder_domain::{
    Item, MergeError, Owner, Product, ProductDetails, ProductId, first_to_expire_first,
    merge_amount,
};
use larder_storage::{ReplaceProduct, Result, Scope, Write, WriteKind};

use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, inventory::Missing,
    transaction::Transaction,
};

impl PostgresStore {
    pub(super) async fn replace_known(
        &self,
        scope: Scope,
        id: ProductId,
        version: u64,
        details: &ProductDetails,
        join: bool,
        write: Write<'_>,
    ) -> Result<ReplaceProduct, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let (current, other) = transaction.lock_with_other(scope, id, details).await?;
        let Some(current) = current else { return Ok(ReplaceProduct::NotFound) };
        if current.version != version {
            return Ok(ReplaceProduct::VersionConflict(current));
        }
        let before = Some((current.details.location, current.details.preferred_store));
        let references = (details.location, details.preferred_store);
        match transaction.missing_reference(scope.owner(), references, before).await? {
            Some(Missing::Location) => return Ok(ReplaceProduct::LocationNotFound),
            Some(Missing::Store) => return Ok(ReplaceProduct::StoreNotFound),
            None => {}
        }
        let Some(other) = other else {
            if let Some(photo) = details.photo.filter(|it| current.details.photo != Some(*it))
                && !transaction.lock_photo(scope.owner(), photo, write.at).await?
            {
                return Ok(ReplaceProduct::PhotoNotFound);
            }
            let changed = current.changed(details.clone(), scope.actor(), write.at);
            let is_told = !current.details.tells_lots_the_same(details);
            let lots = if is_told { transaction.lock_lots(&[id]).await? } else { Vec::new() };
            if current.details.barcodes != details.barcodes
                && let Some(other) = transaction.claim_barcodes(&changed).await?
            {
                return Ok(ReplaceProduct::BarcodeTaken(other));
            }
            transaction.write_product(&changed).await?;
            transaction.tell(&changed, &lots, scope, write).await?;
            let kind = WriteKind::PRODUCT_REPLACED;
            transaction.commit_with(scope.actor(), write, kind, &changed).await?;
            return Ok(ReplaceProduct::Replaced(changed));
        };
        if !join {
            return Ok(ReplaceProduct::Duplicate(other));
        }
        let joined = match transaction.join(&current, &other, scope, write).await? {
            ReplaceProduct::Joined(joined) => joined,
            refusal => return Ok(refusal),
        };
        let kind = WriteKind::product_joined(&other);
        transaction.commit_with(scope.actor(), write, kind, &joined).await?;
        Ok(ReplaceProduct::Joined(joined))
    }
}

impl Transaction {
    /// The product, and the other of the new name, locked in the order of their ids.
    async fn lock_with_other(
        &mut self,
        scope: Scope,
        id: ProductId,
        details: &ProductDetails,
    ) -> Result<(Option<Product>, Option<Product>), Failure> {
        let rows = self.lock_by_id_or_name(scope, id, &details.folded_name()).await?;
        let (own, other): (Vec<_>, Vec<_>) = rows.into_iter().partition(|it| it.id == id);
        Ok((own.into_iter().next(), other.into_iter().next()))
    }

    /// Tells locked lots what their product says. No other item can have its name.
    async fn tell(
        &mut self,
        product: &Product,
        lots: &[Item],
        scope: Scope,
        write: Write<'_>,
    ) -> Result<(), Failure> {
        for lot in lots {
            let told = lot.changed(lot.details.clone(), scope.actor(), write.at);
            let told = told.of_product(product);
            if told.details != lot.details {
                self.rename_lot(lot, &told).await?;
            }
        }
        Ok(())
    }

    /// Joins a product to another. If it refuses, the caller must not commit.
    async fn join(
        &mut self,
        current: &Product,
        other: &Product,
        scope: Scope,
        write: Write<'_>,
    ) -> Result<ReplaceProduct, Failure> {
        let lots = self.lock_lots(&[current.id, other.id]).await?;
        let (mut own, theirs): (Vec<_>, Vec<_>) =
            lots.into_iter().partition(|lot| lot.product == Some(current.id));
        own.sort_by(first_to_expire_first);
        let mut merges = Vec::new();
        for lot in &own {
            let date = lot.details.expiration;
            let same_date = theirs.iter().find(|it| it.details.expiration == date);
            let Some(existing) = same_date else { continue };
            match merge_amount(&existing.details, lot.details.quantity, &lot.details.unit) {
                Ok(added) => merges.push((lot.id, existing, added)),
                Err(MergeError::UnitMismatch) => {
                    return Ok(ReplaceProduct::UnitMismatch(existing.clone()));
                }
                Err(MergeError::Overflow) => return Ok(ReplaceProduct::Overflow(existing.clone())),
            }
        }
        let Ok(learned) = other.details.joined(&current.details) else {
            return Ok(ReplaceProduct::TooManyBarcodes);
        };
        let is_learned = learned != other.details;
        let joined = if is_learned {
            other.changed(learned, scope.actor(), write.at)
        } else {
            other.clone()
        };
        // First: it locks entries, whose holders may wait for the first change.
        if let Owner::Household(household) = scope.owner() {
            for (lot, _, _) in &merges {
                self.unlink_entries(household, *lot, write).await?;
            }
        }
        for (lot, existing, added) in &merges {
            self.add_to(existing, *added, scope, write).await?;
            self.delete(*lot).await?;
        }
        let moving: Vec<Item> = own
            .into_iter()
            .filter(|lot| merges.iter().all(|(merged, _, _)| *merged != lot.id))
            .collect();
        for lot in &moving {
            let moved = lot.changed(lot.details.clone(), scope.actor(), write.at);
            self.rename_lot(lot, &moved.of_product(&joined)).await?;
        }
        self.pass_barcodes(current.id, other.id).await?;
        sqlx::query!("DELETE FROM products WHERE id = $1", uuid(current.id))
            .execute(&mut *self)
            .await?;
        if is_learned {
            self.write_product(&joined).await?;
            self.tell_lots(&joined, None, scope.actor(), write).await?;
        }
        Ok(ReplaceProduct::Joined(joined))
    }
}
