//! The barcodes of products: claims that are written in the transactions of their products, so that
//! no two products of an inventory have the same.

use jiff::Timestamp;
use larder_domain::{Barcodes, Gtin, Owner, Product, ProductDetails, ProductId};
use larder_storage::{Result, Write};

use super::{ItemStore, change_set::Actor};
use crate::{
    Action, RecordEngine,
    layout::{job::LotsJob, keys, product, unique},
};

/// Claims the barcodes of a new product.
pub(super) fn take(product: &Product) -> impl Iterator<Item = Action> {
    let Product { id, owner, updated_at: at, ref details, .. } = *product;
    details.barcodes.iter().map(move |code| unique::barcode(owner, code).take(id, at))
}

/// Releases all barcodes of a product.
pub(super) fn release(product: &Product) -> impl Iterator<Item = Action> {
    let Product { id, owner, ref details, .. } = *product;
    details.barcodes.iter().map(move |code| unique::barcode(owner, code).release(id))
}

/// Claims what a product gets, and releases what it loses.
pub(super) fn recode(current: &Product, details: &ProductDetails, at: Timestamp) -> Vec<Action> {
    let Product { id, owner, .. } = *current;
    let (old, new) = (&current.details.barcodes, &details.barcodes);
    let released = old.missing_in(new).map(|code| unique::barcode(owner, code).release(id));
    let taken = new.missing_in(old).map(|code| unique::barcode(owner, code).take(id, at));
    released.chain(taken).collect()
}

impl<E: RecordEngine> ItemStore<E> {
    /// How many barcodes one transaction may claim and release beside so many other actions. A
    /// journaled change counts twice: some engines write its change record in the same transaction.
    pub(super) async fn barcodes_beside(&self, actions: usize) -> Result<usize> {
        Ok(self.engine.max_actions().await?.saturating_sub(actions))
    }

    /// The product with this barcode. The one that is being joined to another is the other.
    pub(super) async fn product_with(&self, owner: Owner, code: &Gtin) -> Result<Option<Product>> {
        let Some(held) = self.get_unique(&unique::barcode(owner, code).key()).await? else {
            return Ok(None);
        };
        let mut id = unique::holder(&held)?;
        loop {
            let Some(record) = self.get(&keys::product(owner, id)).await? else { return Ok(None) };
            match product::joins(&record)? {
                Some(other) => id = other,
                None => return product::from_record(&record).map(Some),
            }
        }
    }

    /// Another product with one of the barcodes that this one is to get; `None` if there is none
    /// any more. A claim that is this product's own, but still with one that joins it, is passed on
    /// first.
    pub(super) async fn barcode_holder(
        &self,
        actor: Actor,
        current: &Product,
        details: &ProductDetails,
        at: Timestamp,
    ) -> Result<Option<Product>> {
        let Product { id, owner, .. } = *current;
        for code in details.barcodes.missing_in(&current.details.barcodes) {
            let holder = self.product_with(owner, code).await?;
            if holder.as_ref().is_some_and(|holder| holder.id != id) {
                return Ok(holder);
            }
        }
        for code in current.details.barcodes.missing_in(&details.barcodes) {
            let key = unique::barcode(owner, code).key();
            let Some(held) = self.get_unique(&key).await? else { continue };
            let holder: ProductId = unique::holder(&held)?;
            if holder != id {
                self.finish_lots(actor, LotsJob { owner, product: holder }, at).await?;
            }
        }
        Ok(None)
    }

    /// Passes the barcodes of a product on to the one that it joins. Idempotent.
    pub(super) async fn pass_barcodes(
        &self,
        actor: Actor,
        from: &Product,
        to: ProductId,
        at: Timestamp,
    ) -> Result<()> {
        let codes: Vec<Gtin> = from.details.barcodes.iter().copied().collect();
        let pass = |code: &Gtin| unique::barcode(from.owner, code).pass(from.id, to, at);
        self.commit_each(actor, Write::at(at), &codes, pass).await?;
        Ok(())
    }

    /// Those of these barcodes that no product of the inventory has, as many as there is room for.
    pub(super) async fn free_barcodes(
        &self,
        owner: Owner,
        codes: &Barcodes,
        room: usize,
    ) -> Result<Barcodes> {
        let mut free = Vec::new();
        for code in codes.iter() {
            let is_free = self.get_unique(&unique::barcode(owner, code).key()).await?.is_none();
            if is_free && free.len() < room {
                free.push(*code);
            }
        }
        Ok(codes.filtered(|code| free.contains(code)))
    }
}
