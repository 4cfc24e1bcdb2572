//! Putting what is low on the shopping list, in the transaction that settles. The product and its
//! lots are locked, so of many who settle one does it, and entries for the lots wait.

use larder_domain::{Item, MissingStock, Notification, Product, ShoppingItem, missing_stock};
use larder_storage::{Result, SettleNotifications, SystemScope};

use crate::{
    failure::Failure,
    ids::uuid,
    shopping::row::{ShoppingRow, query_entries},
    transaction::Transaction,
    types::Instant,
};

/// What an open notification about the stock of a product does once.
pub(super) enum Listing {
    /// Its product was on the list anyway.
    Found,
    /// This goes on the list.
    Add(Box<ShoppingItem>),
}

impl Transaction {
    /// What should be on the list now; `None` if nothing should. Waits for no lock, because others
    /// lock shops before lots: a shop that is being deleted is left out.
    pub(super) async fn find_missing(
        &mut self,
        scope: SystemScope,
        product: &Product,
        lots: &[Item],
        settle: SettleNotifications<'_>,
    ) -> Result<Option<Listing>, Failure> {
        let Some(missing) = missing_stock(product, lots) else { return Ok(None) };
        let household = uuid(scope.household());
        let is_on =
            sqlx::query_scalar!("SELECT auto_list FROM households WHERE id = $1", household);
        if !is_on.fetch_optional(&mut *self).await?.unwrap_or(false) {
            return Ok(None);
        }
        if self.is_on_list(scope, &missing).await? {
            return Ok(Some(Listing::Found));
        }
        let mut entry = missing.entry(settle.entry_id, scope.household(), settle.by, settle.at);
        if let Some(store) = entry.details.store {
            let found = sqlx::query_scalar!(
                "SELECT id FROM stores WHERE household_id = $1 AND id = $2
                 FOR KEY SHARE SKIP LOCKED",
                household,
                uuid(store),
            );
            entry.details.store = found.fetch_optional(self).await?.map(|_| store);
        }
        Ok(Some(Listing::Add(Box::new(entry))))
    }

    /// Whether it is still to be bought anyway.
    async fn is_on_list(
        &mut self,
        scope: SystemScope,
        missing: &MissingStock<'_>,
    ) -> Result<bool, Failure> {
        let rows = query_entries!(
            "SELECT",
            "FROM shopping_list_items s WHERE s.household_id = $1 AND s.status = 'pending'",
            uuid(scope.household()),
        );
        let rows = rows.fetch_all(self).await?.into_iter();
        let pending = rows.map(ShoppingRow::into_entry).collect::<Result<Vec<_>>>()?;
        Ok(pending.iter().any(|entry| missing.is_covered_by(entry)))
    }

    /// Notes on a notification that is locked that its product is on the list, and puts it there.
    pub(super) async fn list(
        &mut self,
        said: &Notification,
        listing: &Listing,
        settle: SettleNotifications<'_>,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE notifications SET listed_at = $3 WHERE household_id = $1 AND id = $2",
            uuid(said.household),
            uuid(said.id),
            Instant(settle.at) as _,
        )
        .execute(&mut *self)
        .await?;
        if let Listing::Add(entry) = listing {
            self.insert_entry(entry).await?;
        }
        Ok(())
    }
}
