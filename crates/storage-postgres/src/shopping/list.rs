//! Reading the list: one entry, or a page in the order in which entries were added.

use jiff::Timestamp;
use larder_domain::{ShoppingFilter, ShoppingItem, ShoppingItemId, ShoppingPosition, StoreChoice};
use larder_storage::{HouseholdScope, Page, Result};
use sqlx::{Postgres, QueryBuilder};

use super::row::{ShoppingRow, query_entries};
use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid, types::Instant};

const COLUMNS: &str = "SELECT s.id, s.household_id, s.item_id, s.name, s.store_id, s.status, \
    s.quantity, s.notes, s.version, s.expires_at, s.added_by, s.created_at, s.updated_at \
    FROM shopping_list_items s ";

impl PostgresStore {
    pub(super) async fn entry(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
    ) -> Result<Option<ShoppingItem>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let row = query_entries!(
            "SELECT",
            "FROM shopping_list_items s
             WHERE s.household_id = $1 AND s.id = $2
             AND (s.expires_at IS NULL OR s.expires_at > $3)",
            uuid(scope.household()),
            uuid(id),
            Instant(self.clock.now()) as _,
        );
        let row = row.fetch_optional(&mut transaction).await?;
        Ok(row.map(ShoppingRow::into_entry).transpose()?)
    }

    pub(super) async fn entries(
        &self,
        scope: HouseholdScope,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let now = self.clock.now();
        let mut query = list_shopping_items("", scope, filter, now, after, limit);
        let rows = query.build_query_as::<ShoppingRow>().fetch_all(&mut transaction).await?;
        let entries = rows.into_iter().map(ShoppingRow::into_entry).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(entries, limit, ShoppingPosition::of))
    }
}

/// The statement that reads a page and one more entry. `prefix` lets tests prepend EXPLAIN.
pub fn list_shopping_items(
    prefix: &'static str,
    scope: HouseholdScope,
    filter: &ShoppingFilter,
    now: Timestamp,
    after: Option<&ShoppingPosition>,
    limit: usize,
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new(prefix);
    query.push(COLUMNS);
    query.push("WHERE s.household_id = ").push_bind(uuid(scope.household()));
    match filter.store {
        None => {}
        Some(StoreChoice::Unassigned) => {
            query.push(" AND s.store_id IS NULL");
        }
        Some(StoreChoice::Store(store)) => {
            query.push(" AND s.store_id = ").push_bind(uuid(store));
        }
    }
    if let Some(status) = filter.status {
        query.push(" AND s.status = ").push_bind(status.as_str());
    }
    query.push(" AND (s.expires_at IS NULL OR s.expires_at > ").push_bind(Instant(now)).push(")");
    if let Some(after) = after {
        query.push(" AND (s.created_at, s.id) > (").push_bind(Instant(after.created_at));
        query.push(", ").push_bind(uuid(after.id)).push(")");
    }
    query.push(" ORDER BY s.created_at, s.id LIMIT ");
    query.push_bind(i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1);
    query
}
