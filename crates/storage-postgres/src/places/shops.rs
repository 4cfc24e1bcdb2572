//! Shops.

use larder_domain::{Store, StoreAddress, StoreId, StoreName, text::fold};
use larder_storage::{HouseholdScope, Result, SavePlace, Write, WriteKind};
use uuid::Uuid;

use super::unless_taken;
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

const NAME_INDEX: &str = "idx_stores_name";

struct ShopRow {
    id: Uuid,
    name: String,
    address: Option<String>,
}

impl ShopRow {
    fn into_store(self) -> Result<Store> {
        let misfit = |column, reason: String| misfit(format!("stores {}", self.id), column, reason);
        let address = self.address.map(|address| StoreAddress::parse(&address)).transpose();
        Ok(Store {
            id: domain_id(self.id),
            name: StoreName::parse(&self.name).map_err(|e| misfit("name", e.to_string()))?,
            address: address.map_err(|e| misfit("address", e.to_string()))?,
        })
    }
}

impl PostgresStore {
    pub(super) async fn shops(&self, scope: HouseholdScope) -> Result<Vec<Store>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let rows = sqlx::query_as!(
            ShopRow,
            "SELECT id, name, address FROM stores WHERE household_id = $1 ORDER BY id",
            uuid(scope.household()),
        )
        .fetch_all(&mut transaction)
        .await?;
        Ok(rows.into_iter().map(ShopRow::into_store).collect::<Result<_>>()?)
    }

    pub(super) async fn shop(
        &self,
        scope: HouseholdScope,
        id: StoreId,
    ) -> Result<Option<Store>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let row = sqlx::query_as!(
            ShopRow,
            "SELECT id, name, address FROM stores WHERE household_id = $1 AND id = $2",
            uuid(scope.household()),
            uuid(id),
        )
        .fetch_optional(&mut transaction)
        .await?;
        Ok(row.map(ShopRow::into_store).transpose()?)
    }

    pub(super) async fn insert_shop(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let inserted = sqlx::query!(
            "INSERT INTO stores (id, household_id, name, name_folded, address)
             VALUES ($1, $2, $3, fn_folded_key($4), $5)",
            uuid(store.id),
            uuid(scope.household()),
            store.name.as_str(),
            fold(store.name.as_str()),
            store.address.as_ref().map(StoreAddress::as_str),
        )
        .execute(&mut transaction)
        .await;
        if unless_taken(inserted, NAME_INDEX)?.is_none() {
            return Ok(SavePlace::NameTaken);
        }
        transaction.commit_with(scope.actor(), write, WriteKind::STORE_ADDED, store).await?;
        Ok(SavePlace::Saved(store.clone()))
    }

    pub(super) async fn update_shop(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let updated = sqlx::query!(
            "UPDATE stores
             SET name = $3, name_folded = fn_folded_key($4), address = $5
             WHERE household_id = $2 AND id = $1",
            uuid(store.id),
            uuid(scope.household()),
            store.name.as_str(),
            fold(store.name.as_str()),
            store.address.as_ref().map(StoreAddress::as_str),
        )
        .execute(&mut transaction)
        .await;
        match unless_taken(updated, NAME_INDEX)? {
            None => Ok(SavePlace::NameTaken),
            Some(updated) if updated.rows_affected() == 0 => Ok(SavePlace::NotFound),
            Some(_) => {
                transaction.commit().await?;
                Ok(SavePlace::Saved(store.clone()))
            }
        }
    }

    pub(super) async fn remove_shop(
        &self,
        scope: HouseholdScope,
        id: StoreId,
        write: Write<'_>,
    ) -> Result<bool, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let (household, store) = (uuid(scope.household()), uuid(id));
        // From here on nothing new can refer to it.
        let locked = sqlx::query_scalar!(
            "SELECT id FROM stores WHERE household_id = $1 AND id = $2 FOR UPDATE",
            household,
            store,
        )
        .fetch_optional(&mut transaction)
        .await?;
        if locked.is_none() {
            return Ok(false);
        }
        // All items and entries before the first change, in the order of their ids: whoever holds one of
        // them never waits for what this transaction holds.
        sqlx::query!(
            "SELECT FROM inventory_items WHERE household_id = $1 AND preferred_store_id = $2
             ORDER BY id FOR UPDATE",
            household,
            store,
        )
        .execute(&mut transaction)
        .await?;
        transaction.lock_entries_of_shop(scope.household(), id).await?;
        sqlx::query!(
            "UPDATE inventory_items
             SET preferred_store_id = NULL, version = version + 1, updated_by = $3, updated_at = $4
             WHERE household_id = $1 AND preferred_store_id = $2",
            household,
            store,
            uuid(scope.actor()),
            Instant(write.at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.clear_shop_of_entries(scope.household(), id, write).await?;
        sqlx::query!("DELETE FROM stores WHERE id = $1", store).execute(&mut transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }
}
