//! Storage locations and shops: two tables that differ in their names and in a column or two. Deleting
//! a place clears the references to it in the same transaction.

use async_trait::async_trait;
use larder_domain::{
    DeviceReference, LocationName, SortOrder, StorageLocation, StorageLocationId, Store,
    StoreAddress, StoreId, StoreName, text::fold,
};
use larder_storage::{HouseholdScope, Places, Result, SavePlace, Write, WriteKind};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

/// The port for tables of this shape. A macro, because statements are checked at compile time and
/// need the table's name then.
macro_rules! place_tables {
    ($({
        table: $table:literal, name_index: $name_index:literal,
        place: $Place:ident, id: $Id:ident, name: $Name:ident, added: $added:ident,
        row: $Row:ident,
        detail: $detail:ident is $column:ident $column_name:literal of $Detail:ident,
        items_column: $items_column:literal,
        $(order: $order:ident $order_name:literal $order_value:literal,)?
        methods: $list:ident $find:ident $add:ident $replace:ident $delete:ident,
        $(entries: $lock_entries:ident $clear_entries:ident,)?
    })*) => {
        $(
        struct $Row {
            id: Uuid,
            name: String,
            $column: Option<String>,
            $($order: Option<i16>,)?
        }

        impl $Row {
            fn into_place(self) -> Result<$Place> {
                let misfit = |column, reason: String| {
                    misfit(format!(concat!($table, " {}"), self.id), column, reason)
                };
                let detail = self.$column.map(|detail| $Detail::parse(&detail)).transpose();
                Ok($Place {
                    id: domain_id(self.id),
                    name: $Name::parse(&self.name).map_err(|e| misfit("name", e.to_string()))?,
                    $detail: detail.map_err(|e| misfit($column_name, e.to_string()))?,
                    $($order: self.$order.map(place_in_order).transpose()
                        .map_err(|e| misfit($order_name, e))?,)?
                })
            }
        }
        )*

        #[async_trait]
        impl Places for PostgresStore {
            $(
            async fn $list(&self, scope: HouseholdScope) -> Result<Vec<$Place>> {
                self.retry(|| async move {
                    let mut transaction = self.database.read(&Context::of_member(scope)).await?;
                    let rows = sqlx::query_as!(
                        $Row,
                        "SELECT id, name, " + $column_name $(+ ", " + $order_name)?
                            + " FROM " + $table + " WHERE household_id = $1 ORDER BY id",
                        uuid(scope.household()),
                    )
                    .fetch_all(&mut transaction)
                    .await?;
                    Ok(rows.into_iter().map($Row::into_place).collect::<Result<_>>()?)
                })
                .await
            }

            async fn $find(&self, scope: HouseholdScope, id: $Id) -> Result<Option<$Place>> {
                self.retry(|| async move {
                    let mut transaction = self.database.read(&Context::of_member(scope)).await?;
                    let row = sqlx::query_as!(
                        $Row,
                        "SELECT id, name, " + $column_name $(+ ", " + $order_name)?
                            + " FROM " + $table + " WHERE household_id = $1 AND id = $2",
                        uuid(scope.household()),
                        uuid(id),
                    )
                    .fetch_optional(&mut transaction)
                    .await?;
                    Ok(row.map($Row::into_place).transpose()?)
                })
                .await
            }

            async fn $add(
                &self,
                scope: HouseholdScope,
                place: &$Place,
                write: Write<'_>,
            ) -> Result<SavePlace<$Place>> {
                self.retry_change(uuid(scope.household()), || async move {
                    let context = Context::of_member(scope).at(write.at);
                    let mut transaction = self.database.write(&context).await?;
                    transaction.claim(scope.actor(), write).await?;
                    let inserted = sqlx::query!(
                        "INSERT INTO " + $table + " (id, household_id, name, name_folded, "
                            + $column_name $(+ ", " + $order_name)? + ")
             VALUES ($1, $2, $3, fn_folded_key($4), $5" $(+ $order_value)? + ")",
                        uuid(place.id),
                        uuid(scope.household()),
                        place.name.as_str(),
                        fold(place.name.as_str()),
                        place.$detail.as_ref().map($Detail::as_str),
                        $(place.$order.map(|it| i16::try_from(it.get()).unwrap_or(i16::MAX)),)?
                    )
                    .execute(&mut transaction)
                    .await;
                    if unless_taken(inserted, $name_index)?.is_none() {
                        return Ok(SavePlace::NameTaken);
                    }
                    let kind = WriteKind::$added;
                    transaction.commit_with(scope.actor(), write, kind, place).await?;
                    Ok(SavePlace::Saved(place.clone()))
                })
                .await
            }

            async fn $replace(
                &self,
                scope: HouseholdScope,
                place: &$Place,
                write: Write<'_>,
            ) -> Result<SavePlace<$Place>> {
                self.retry_change(uuid(scope.household()), || async move {
                    let context = Context::of_member(scope).at(write.at);
                    let mut transaction = self.database.write(&context).await?;
                    let updated = sqlx::query!(
                        "UPDATE " + $table + "
             SET name = $3, name_folded = fn_folded_key($4), " + $column_name + " = $5"
                            $(+ ", " + $order_name + " = " + "$6")? + "
             WHERE household_id = $2 AND id = $1",
                        uuid(place.id),
                        uuid(scope.household()),
                        place.name.as_str(),
                        fold(place.name.as_str()),
                        place.$detail.as_ref().map($Detail::as_str),
                        $(place.$order.map(|it| i16::try_from(it.get()).unwrap_or(i16::MAX)),)?
                    )
                    .execute(&mut transaction)
                    .await;
                    match unless_taken(updated, $name_index)? {
                        None => Ok(SavePlace::NameTaken),
                        Some(updated) if updated.rows_affected() == 0 => Ok(SavePlace::NotFound),
                        Some(_) => {
                            transaction.commit().await?;
                            Ok(SavePlace::Saved(place.clone()))
                        }
                    }
                })
                .await
            }

            async fn $delete(
                &self,
                scope: HouseholdScope,
                id: $Id,
                write: Write<'_>,
            ) -> Result<bool> {
                self.retry_change(uuid(scope.household()), || async move {
                    let context = Context::of_member(scope).at(write.at);
                    let mut transaction = self.database.write(&context).await?;
                    let (household, place) = (uuid(scope.household()), uuid(id));
                    // Locked: no new references from here on.
                    let locked = sqlx::query_scalar!(
                        "SELECT id FROM " + $table
                            + " WHERE household_id = $1 AND id = $2 FOR UPDATE",
                        household,
                        place,
                    )
                    .fetch_optional(&mut transaction)
                    .await?;
                    if locked.is_none() {
                        return Ok(false);
                    }
                    // All products, items and entries are locked before the first change, in the
                    // order of their ids, which avoids deadlocks.
                    sqlx::query!(
                        "SELECT FROM products WHERE household_id = $1 AND " + $items_column
                            + " = $2
             ORDER BY id FOR NO KEY UPDATE",
                        household,
                        place,
                    )
                    .execute(&mut transaction)
                    .await?;
                    sqlx::query!(
                        "SELECT FROM inventory_items WHERE household_id = $1 AND " + $items_column
                            + " = $2
             ORDER BY id FOR UPDATE",
                        household,
                        place,
                    )
                    .execute(&mut transaction)
                    .await?;
                    $(transaction.$lock_entries(scope.household(), id).await?;)?
                    sqlx::query!(
                        "UPDATE products
             SET " + $items_column
                            + " = NULL, version = version + 1, updated_by = $3, updated_at = $4
             WHERE household_id = $1 AND " + $items_column + " = $2",
                        household,
                        place,
                        uuid(scope.actor()),
                        Instant(write.at) as _,
                    )
                    .execute(&mut transaction)
                    .await?;
                    sqlx::query!(
                        "UPDATE inventory_items
             SET " + $items_column
                            + " = NULL, version = version + 1, updated_by = $3, updated_at = $4
             WHERE household_id = $1 AND " + $items_column + " = $2",
                        household,
                        place,
                        uuid(scope.actor()),
                        Instant(write.at) as _,
                    )
                    .execute(&mut transaction)
                    .await?;
                    $(transaction.$clear_entries(scope.household(), id, write).await?;)?
                    sqlx::query!("DELETE FROM " + $table + " WHERE id = $1", place)
                        .execute(&mut transaction)
                        .await?;
                    transaction.commit().await?;
                    Ok(true)
                })
                .await
            }
            )*
        }
    };
}

place_tables! {
    {
        table: "storage_locations", name_index: "idx_storage_name",
        place: StorageLocation, id: StorageLocationId, name: LocationName, added: LOCATION_ADDED,
        row: LocationRow, detail: device is device_id "device_id" of DeviceReference,
        items_column: "storage_location_id",
        methods: list_locations find_location add_location replace_location delete_location,
    }
    {
        table: "stores", name_index: "idx_stores_name",
        place: Store, id: StoreId, name: StoreName, added: STORE_ADDED,
        row: ShopRow, detail: address is address "address" of StoreAddress,
        items_column: "preferred_store_id",
        order: sort_order "sort_order" ", $6",
        methods: list_stores find_store add_store replace_store delete_store,
        entries: lock_entries_of_shop clear_shop_of_entries,
    }
}

fn place_in_order(number: i16) -> Result<SortOrder, String> {
    let place = u64::try_from(number).map_err(|e| e.to_string())?;
    SortOrder::new(place).map_err(|e| e.to_string())
}

/// The result of a write; `None` if another place of the household has the name.
fn unless_taken<T>(result: sqlx::Result<T>, name_index: &str) -> Result<Option<T>, Failure> {
    match result.map_err(Failure::from) {
        Err(Failure::Constraint(name)) if name == name_index => Ok(None),
        result => result.map(Some),
    }
}
