//! Photos of products. A trigger keeps those that a product names.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Owner, PhotoId, unused_photo_expiry};
use larder_storage::{Photo, PhotoSize, Photos, PutPhoto, Result, Scope};

use crate::{
    PostgresStore, context::Context, failure::Failure, ids::inventory_id, transaction::Transaction,
    types::Instant,
};

/// Advisory lock, with the inventory: one photo at a time is counted.
const COUNTING: i32 = 0x6c61_7264;

#[async_trait]
impl Photos for PostgresStore {
    async fn put_photo(
        &self,
        scope: Scope,
        photo: &Photo,
        at: Timestamp,
        quota: usize,
    ) -> Result<PutPhoto> {
        self.retry(|| self.put_photo_once(scope, photo, at, quota)).await
    }

    async fn find_photo(
        &self,
        scope: Scope,
        id: PhotoId,
        size: PhotoSize,
    ) -> Result<Option<Vec<u8>>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let bytes = sqlx::query_scalar!(
                r#"SELECT CASE WHEN $3 THEN full_size ELSE thumbnail END AS "bytes!"
                   FROM product_photos
                   WHERE inventory_id = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $4)"#,
                inventory_id(scope.owner()),
                id.to_string(),
                size == PhotoSize::Full,
                Instant(self.clock.now()) as _,
            );
            Ok(bytes.fetch_optional(&mut transaction).await?)
        })
        .await
    }
}

impl PostgresStore {
    async fn put_photo_once(
        &self,
        scope: Scope,
        photo: &Photo,
        at: Timestamp,
        quota: usize,
    ) -> Result<PutPhoto, Failure> {
        let inventory = inventory_id(scope.owner());
        let mut transaction = self.database.write(&Context::of_scope(scope).at(at)).await?;
        sqlx::query!(
            "SELECT pg_advisory_xact_lock($1, hashtext($2))",
            COUNTING,
            inventory.to_string(),
        )
        .execute(&mut transaction)
        .await?;
        let stored = sqlx::query!(
            r#"SELECT count(*) AS "count!", COALESCE(bool_or(id = $2), false) AS "is_there!"
               FROM product_photos
               WHERE inventory_id = $1 AND (expires_at IS NULL OR expires_at > $3)"#,
            inventory,
            photo.id.to_string(),
            Instant(at) as _,
        )
        .fetch_one(&mut transaction)
        .await?;
        let count = usize::try_from(stored.count).unwrap_or(usize::MAX);
        if !stored.is_there && count >= quota {
            return Ok(PutPhoto::QuotaExceeded);
        }
        sqlx::query!(
            "INSERT INTO product_photos AS p
                 (inventory_id, id, full_size, thumbnail, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (inventory_id, id) DO UPDATE SET expires_at = EXCLUDED.expires_at
             WHERE p.expires_at IS NOT NULL",
            inventory,
            photo.id.to_string(),
            photo.full,
            photo.thumbnail,
            Instant(at) as _,
            Instant(unused_photo_expiry(at)) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(PutPhoto::Stored)
    }
}

impl Transaction {
    /// Whether there is such a photo, which then stays until the end of the transaction.
    pub(crate) async fn lock_photo(
        &mut self,
        owner: Owner,
        id: PhotoId,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let found = sqlx::query_scalar!(
            "SELECT id FROM product_photos
             WHERE inventory_id = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $3)
             FOR UPDATE",
            inventory_id(owner),
            id.to_string(),
            Instant(at) as _,
        );
        Ok(found.fetch_optional(self).await?.is_some())
    }
}
