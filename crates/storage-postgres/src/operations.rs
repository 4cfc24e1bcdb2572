//! Repeated requests, live changes, health.

use std::time::Duration;

use async_trait::async_trait;
use larder_domain::UserId;
use larder_storage::{Changes, IdempotencyKey, Operations, Result, Scope, StorageError, UsedKey};
use tokio::sync::watch;

use crate::{
    PostgresStore,
    claim::used_key,
    context::Context,
    ids::{inventory_id, uuid},
    types::Instant,
};

/// Shorter than a call's time-out: a health check needs the current state, and is repeated.
const READY_WITHIN: Duration = Duration::from_secs(3);

#[async_trait]
impl Operations for PostgresStore {
    async fn find_idempotent(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<UsedKey>> {
        let now = self.clock.now();
        let row = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_user(user)).await?;
            let row = sqlx::query!(
                r#"SELECT request_hash, outcome::text AS "outcome!" FROM idempotency_keys
                   WHERE user_id = $1 AND key = $2 AND expires_at > $3 AND outcome IS NOT NULL"#,
                uuid(user),
                key.as_str(),
                Instant(now) as _,
            );
            Ok(row.fetch_optional(&mut transaction).await?)
        });
        row.await?.map(|row| used_key(row.request_hash, &row.outcome)).transpose()
    }

    async fn changes_after(
        &self,
        scope: Scope,
        after: u64,
        limit: usize,
    ) -> Result<Option<Changes>> {
        self.retry(|| self.read_feed(scope, after, limit)).await
    }

    async fn changes_head(&self, scope: Scope) -> Result<u64> {
        self.retry(|| self.feed_head(scope)).await
    }

    async fn list_version(&self, scope: Scope) -> Result<Option<u64>> {
        self.changes_head(scope).await.map(Some)
    }

    fn watch_changes(&self, scope: Scope) -> watch::Receiver<u64> {
        self.live.watch(inventory_id(scope.owner()))
    }

    async fn ready(&self) -> Result<()> {
        let asking = self.retry(|| async {
            self.database.read(&Context::of_server()).await?;
            Ok(())
        });
        tokio::time::timeout(READY_WITHIN, asking).await.unwrap_or_else(|_| {
            let reason = format!("no connection within {READY_WITHIN:?}");
            Err(StorageError::Unavailable(reason))
        })
    }
}
