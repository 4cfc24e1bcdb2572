//! Other attributes and unique values for a resource.

use jiff::Timestamp;
use larder_domain::{Resource, UniqueKey, UniqueKeys, Urn};
use larder_storage::{AccountScope, ReplaceResource, Result, TakenKey, Write};

use super::row::ResourceRow;
use crate::{
    PostgresStore, context::Context, failure::Failure, transaction::Transaction, types::Instant,
};

impl PostgresStore {
    pub(super) async fn change_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        expected_version: Option<u64>,
        write: Write<'_>,
    ) -> Result<ReplaceResource, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        let Some(current) = transaction.locked_resource(scope, &resource.urn).await? else {
            return Ok(ReplaceResource::NotFound);
        };
        if expected_version.is_some_and(|expected| expected != current.version) {
            return Ok(ReplaceResource::Stale(Box::new(current)));
        }
        let exchanged = transaction.exchange_keys(
            scope,
            &resource.urn,
            &current.unique_keys,
            &resource.unique_keys,
            write.at,
        );
        if let Some(taken) = exchanged.await? {
            return Ok(ReplaceResource::UniqueKeyTaken(taken));
        }
        let replaced = Resource {
            schema_version: resource.schema_version,
            version: current.version + 1,
            unique_keys: resource.unique_keys.clone(),
            attributes: resource.attributes.clone(),
            updated_at: write.at,
            ..current
        };
        transaction.update_content(scope, &replaced).await?;
        transaction.commit().await?;
        Ok(ReplaceResource::Replaced(Box::new(replaced)))
    }

    /// Another shape of the same version, unless it was re-created or has a newer shape already.
    pub(super) async fn reshape_resource(&self, resource: &Resource) -> Result<bool, Failure> {
        let context = Context::of_account(&resource.account);
        let mut transaction = self.database.write(&context).await?;
        let done = sqlx::query!(
            "UPDATE resources SET attributes = $4::text::jsonb, schema_version = $5
             WHERE account_urn = $1 AND urn = $2 AND version = $3
               AND created_at = $6 AND schema_version <= $5",
            resource.account.as_str(),
            resource.urn.as_str(),
            i64::try_from(resource.version).unwrap_or(i64::MAX),
            resource.attributes.to_json(),
            i64::from(resource.schema_version.number()),
            Instant(resource.created_at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}

impl Transaction {
    /// Locks and returns the resource.
    pub(super) async fn locked_resource(
        &mut self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<Resource>, Failure> {
        let row = sqlx::query_as!(
            ResourceRow,
            r#"SELECT urn AS "urn!", account_urn AS "account_urn!", parent_urn,
                 schema_version AS "schema_version!", version AS "version!",
                 attributes AS "attributes!", unique_keys, created_at AS "created_at!: Instant",
                 updated_at AS "updated_at!: Instant", NULL::boolean AS conveys_authorization,
                 NULL::timestamptz AS "linked_at: Instant"
               FROM locked_resource($1, $2)"#,
            scope.account().as_str(),
            urn.as_str(),
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ResourceRow::into_resource).transpose()?)
    }

    /// Releases values that are no longer used, and claims new ones.
    async fn exchange_keys(
        &mut self,
        scope: &AccountScope,
        holder: &Urn,
        old: &UniqueKeys,
        new: &UniqueKeys,
        at: Timestamp,
    ) -> Result<Option<TakenKey>, Failure> {
        self.free_keys(scope, holder, &without(old, new)).await?;
        self.take_keys(scope, holder, &without(new, old), at).await
    }

    async fn update_content(
        &mut self,
        scope: &AccountScope,
        resource: &Resource,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE resources
             SET attributes = $3::text::jsonb, schema_version = $4, version = version + 1,
                 updated_at = $5
             WHERE account_urn = $1 AND urn = $2",
            scope.account().as_str(),
            resource.urn.as_str(),
            resource.attributes.to_json(),
            i64::from(resource.schema_version.number()),
            Instant(resource.updated_at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}

/// Those of the keys that the others have not exactly so.
fn without<'k>(keys: &'k UniqueKeys, others: &UniqueKeys) -> Vec<&'k UniqueKey> {
    keys.iter().filter(|key| others.iter().all(|other| other != *key)).collect()
}
