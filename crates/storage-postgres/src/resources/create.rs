//! New resources.

use larder_domain::{Resource, UniqueKey, Urn};
use larder_storage::{AccountScope, CreateResource, Result, Write, WriteKind};

use crate::{
    PostgresStore, claim::StoredResource, context::Context, failure::Failure,
    transaction::Transaction, types::Instant,
};

/// The constraints against parents outside the account, and against a resource as its own parent.
const NO_SUCH_PARENT: [&str; 2] =
    ["parent_child_relationships_parent_fkey", "parent_child_relationships_differ"];

impl PostgresStore {
    pub(super) async fn make_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        match transaction.insert_resource(scope, resource).await {
            Ok(true) => {}
            Ok(false) => return Ok(CreateResource::Exists),
            Err(Failure::Constraint(name)) if NO_SUCH_PARENT.contains(&name.as_str()) => {
                return Ok(CreateResource::ParentNotFound);
            }
            Err(other) => return Err(other),
        }
        let keys: Vec<&UniqueKey> = resource.unique_keys.iter().collect();
        let taken = transaction.take_keys(scope, &resource.urn, &keys, resource.created_at);
        if let Some(taken) = taken.await? {
            return Ok(CreateResource::UniqueKeyTaken(taken));
        }
        let (kind, stored) = (WriteKind::RESOURCE_CREATED, StoredResource(resource));
        transaction.commit_with(scope.actor(), write, kind, &stored).await?;
        Ok(CreateResource::Created)
    }
}

impl Transaction {
    /// Inserts the resource and the link to its parent; `false` if the URN exists, in any account.
    async fn insert_resource(
        &mut self,
        scope: &AccountScope,
        resource: &Resource,
    ) -> Result<bool, Failure> {
        let made = sqlx::query_scalar!(
            r#"WITH made AS (
                 INSERT INTO resources
                   (urn, account_urn, schema_version, version, attributes, created_at, updated_at)
                 VALUES ($1, $2, $3, 1, $4::text::jsonb, $5, $6)
                 ON CONFLICT (urn) DO NOTHING RETURNING urn),
               linked AS (
                 INSERT INTO parent_child_relationships (child_urn, parent_urn, account_urn, created_at)
                 SELECT made.urn, $7, $2, $5 FROM made WHERE $7::text IS NOT NULL)
               SELECT EXISTS (SELECT FROM made) AS "made!""#,
            resource.urn.as_str(),
            scope.account().as_str(),
            i64::from(resource.schema_version.number()),
            resource.attributes.to_json(),
            Instant(resource.created_at) as _,
            Instant(resource.updated_at) as _,
            resource.parent.as_ref().map(Urn::as_str),
        )
        .fetch_one(self)
        .await?;
        Ok(made)
    }
}
