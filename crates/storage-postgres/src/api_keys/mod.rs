//! The keys that devices authenticate with.

mod row;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    API_KEY_USE_INTERVAL, ApiKey, ApiKeyHash, ApiKeyId, ApiKeyPosition, KeyDescription,
    whole_seconds,
};
use larder_storage::{ApiKeys, FleetScope, NewApiKey, Page, Result};
use row::{ApiKeyRow, query_keys};
use uuid::Uuid;

use crate::{PostgresStore, context::Context, database::one_more, ids::uuid, types::Instant};

#[async_trait]
impl ApiKeys for PostgresStore {
    async fn add_api_key(&self, scope: FleetScope, key: &NewApiKey) -> Result<ApiKey> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
            let row = query_keys!(
                "INSERT INTO api_keys AS k
                     (key_id, household_id, api_key_hash, created_at, description)
                 VALUES ($1, $2, $3, $4, $5)
                 RETURNING",
                "",
                Uuid::from_bytes(*key.id.as_bytes()),
                scope.household().map(uuid),
                key.hash.to_string(),
                Instant(whole_seconds(key.at)) as _,
                key.description.as_ref().map(KeyDescription::as_str),
            );
            let key = row.fetch_one(&mut transaction).await?.into_key()?;
            transaction.commit().await?;
            Ok(key)
        })
        .await
    }

    async fn list_api_keys(
        &self,
        scope: FleetScope,
        after: Option<&ApiKeyPosition>,
        limit: usize,
    ) -> Result<Page<ApiKey, ApiKeyPosition>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
            // Newest first. Exclusive start of the page; the first page starts beyond every
            // possible key.
            let (made_before, id_below) = after
                .map_or((Instant(Timestamp::MAX), Uuid::nil()), |after| {
                    (Instant(after.created_at), Uuid::from_bytes(*after.id.as_bytes()))
                });
            let rows = match scope.household() {
                Some(household) => {
                    query_keys!(
                        "SELECT",
                        "FROM api_keys k
                         WHERE k.household_id = $1 AND (k.created_at, k.key_id) < ($2, $3)
                         ORDER BY k.created_at DESC, k.key_id DESC LIMIT $4",
                        uuid(household),
                        made_before as _,
                        id_below,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
                None => {
                    query_keys!(
                        "SELECT",
                        "FROM api_keys k
                         WHERE (k.created_at, k.key_id) < ($1, $2)
                         ORDER BY k.created_at DESC, k.key_id DESC LIMIT $3",
                        made_before as _,
                        id_below,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
            };
            let keys = rows.into_iter().map(ApiKeyRow::into_key);
            Ok(Page::cut(keys.collect::<Result<_>>()?, limit, ApiKey::position))
        })
        .await
    }

    async fn revoke_api_key(&self, scope: FleetScope, key: ApiKeyId) -> Result<Option<ApiKey>> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
            let row = query_keys!(
                "UPDATE api_keys k SET is_active = false
                 WHERE k.key_id = $1 AND ($2::uuid IS NULL OR k.household_id = $2)
                 RETURNING",
                "",
                Uuid::from_bytes(*key.as_bytes()),
                scope.household().map(uuid),
            );
            let row = row.fetch_optional(&mut transaction).await?;
            let Some(key) = row.map(ApiKeyRow::into_key).transpose()? else { return Ok(None) };
            transaction.commit().await?;
            Ok(Some(key))
        })
        .await
    }

    async fn find_api_key(&self, hash: &ApiKeyHash) -> Result<Option<ApiKey>> {
        self.retry(|| async move {
            // Before authorization: the context is the key's hash.
            let mut transaction = self.database.read(&Context::of_api_key(hash)).await?;
            let row = query_keys!(
                "SELECT",
                "FROM api_keys k WHERE k.api_key_hash = $1",
                hash.to_string()
            );
            let row = row.fetch_optional(&mut transaction).await?;
            Ok(row.map(ApiKeyRow::into_key).transpose()?)
        })
        .await
    }

    async fn note_api_key_use(&self, key: &ApiKey, at: Timestamp) -> Result<()> {
        self.retry(|| async move {
            // Compares with the stored time, so that of concurrent servers only one records the
            // use.
            let mut transaction = self.database.write(&Context::of_devices(key.household)).await?;
            sqlx::query!(
                "UPDATE api_keys SET last_used_at = $2
                 WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
                Uuid::from_bytes(*key.id.as_bytes()),
                Instant(whole_seconds(at)) as _,
                Instant(at - API_KEY_USE_INTERVAL) as _,
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        })
        .await
    }
}
