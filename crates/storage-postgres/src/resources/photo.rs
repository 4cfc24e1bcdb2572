//! Photos of resources, which a reference deletes with them.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{PhotoId, Urn};
use larder_storage::{AccountScope, Photo, PhotoSize, ResourcePhotos, Result};

use crate::{PostgresStore, context::Context, failure::Failure, items::misfit, types::Instant};

#[async_trait]
impl ResourcePhotos for PostgresStore {
    async fn put_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        photo: &Photo,
        at: Timestamp,
    ) -> Result<bool> {
        self.retry(|| self.put_photo_of(scope, urn, photo, at)).await
    }

    async fn find_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        size: PhotoSize,
    ) -> Result<Option<(PhotoId, Vec<u8>)>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
            let row = sqlx::query!(
                r#"SELECT id, CASE WHEN $3 THEN full_size ELSE thumbnail END AS "bytes!"
                   FROM resource_photos WHERE account_urn = $1 AND resource_urn = $2"#,
                scope.account().as_str(),
                urn.as_str(),
                size == PhotoSize::Full,
            );
            let row = row.fetch_optional(&mut transaction).await?;
            row.map(|row| Ok((read_id(urn, &row.id)?, row.bytes))).transpose()
        })
        .await
    }

    async fn find_resource_photo_id(
        &self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<PhotoId>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
            let id = sqlx::query_scalar!(
                "SELECT id FROM resource_photos WHERE account_urn = $1 AND resource_urn = $2",
                scope.account().as_str(),
                urn.as_str(),
            );
            let id = id.fetch_optional(&mut transaction).await?;
            id.map(|id| read_id(urn, &id)).transpose()
        })
        .await
    }

    async fn remove_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        _at: Timestamp,
    ) -> Result<bool> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
            let removed = sqlx::query!(
                "DELETE FROM resource_photos WHERE account_urn = $1 AND resource_urn = $2",
                scope.account().as_str(),
                urn.as_str(),
            );
            let removed = removed.execute(&mut transaction).await?;
            transaction.commit().await?;
            Ok(removed.rows_affected() > 0)
        })
        .await
    }
}

impl PostgresStore {
    async fn put_photo_of(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        photo: &Photo,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        // The resource is locked first, as by whoever deletes it.
        let put = sqlx::query!(
            "WITH shown AS MATERIALIZED (
               SELECT r.urn FROM resources r WHERE r.account_urn = $1 AND r.urn = $2 FOR KEY SHARE)
             INSERT INTO resource_photos
               (account_urn, resource_urn, id, full_size, thumbnail, created_at)
             SELECT $1, shown.urn, $3, $4, $5, $6 FROM shown
             ON CONFLICT (account_urn, resource_urn) DO UPDATE
             SET id = EXCLUDED.id, full_size = EXCLUDED.full_size, thumbnail = EXCLUDED.thumbnail,
                 created_at = EXCLUDED.created_at",
            scope.account().as_str(),
            urn.as_str(),
            photo.id.to_string(),
            photo.full,
            photo.thumbnail,
            Instant(at) as _,
        );
        let put = put.execute(&mut transaction).await?;
        transaction.commit().await?;
        Ok(put.rows_affected() > 0)
    }
}

fn read_id(urn: &Urn, id: &str) -> Result<PhotoId, Failure> {
    let record = format!("resource_photos {urn}");
    Ok(PhotoId::parse(id).map_err(|reason| misfit(&record, "id", reason))?)
}
