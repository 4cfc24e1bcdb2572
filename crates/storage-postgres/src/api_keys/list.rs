//! Lists of keys, newest first.

use jiff::Timestamp;
use larder_domain::{ApiKey, ApiKeyPosition, HouseholdId};
use larder_storage::{FleetScope, Page, Result};
use uuid::Uuid;

use super::row::{ApiKeyRow, query_keys};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn keys_page(
        &self,
        scope: FleetScope,
        after: Option<&ApiKeyPosition>,
        limit: usize,
    ) -> Result<Page<ApiKey, ApiKeyPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
        // Exclusive start of the page; the first page starts beyond every possible key.
        let (made_before, id_below) = after
            .map_or((Instant(Timestamp::MAX), Uuid::nil()), |after| {
                (Instant(after.created_at), Uuid::from_bytes(*after.id.as_bytes()))
            });
        let most = i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1;
        let rows = match scope.household() {
            Some(household) => {
                transaction.household_keys(household, made_before, id_below, most).await?
            }
            None => transaction.all_keys(made_before, id_below, most).await?,
        };
        let keys = rows.into_iter().map(ApiKeyRow::into_key).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(keys, limit, ApiKey::position))
    }
}

impl Transaction {
    async fn household_keys(
        &mut self,
        household: HouseholdId,
        made_before: Instant,
        id_below: Uuid,
        most: i64,
    ) -> Result<Vec<ApiKeyRow>, Failure> {
        let rows = query_keys!(
            "SELECT",
            "FROM api_keys k
             WHERE k.household_id = $1 AND (k.created_at, k.key_id) < ($2, $3)
             ORDER BY k.created_at DESC, k.key_id DESC LIMIT $4",
            uuid(household),
            made_before as _,
            id_below,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }

    async fn all_keys(
        &mut self,
        made_before: Instant,
        id_below: Uuid,
        most: i64,
    ) -> Result<Vec<ApiKeyRow>, Failure> {
        let rows = query_keys!(
            "SELECT",
            "FROM api_keys k
             WHERE (k.created_at, k.key_id) < ($1, $2)
             ORDER BY k.created_at DESC, k.key_id DESC LIMIT $3",
            made_before as _,
            id_below,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }
}
