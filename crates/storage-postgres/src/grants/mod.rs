//! Grants on a resource, which are deleted with it, or on an account.

mod authorize;
mod row;

use async_trait::async_trait;
use larder_domain::{Access, Grant, GrantFilter, GrantPosition, Urn};
use larder_storage::{AccessRequest, AccountScope, Grants, Page, PutGrant, Result, Write};
use row::{GrantRow, query_grants, texts};

use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, types::Instant,
};

/// The constraint against grants on resources outside the account.
const NO_SUCH_RESOURCE: &str = "grants_resource_fkey";

#[async_trait]
impl Grants for PostgresStore {
    async fn put_grant(
        &self,
        scope: &AccountScope,
        grant: &Grant,
        write: Write<'_>,
    ) -> Result<PutGrant> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
            transaction.claim(scope.actor(), write).await?;
            let row = query_grants!(
                "INSERT INTO grants AS g
                   (account_urn, resource_urn, principal_urn, actions, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (account_urn, resource_urn, principal_urn) DO UPDATE
                 SET actions = EXCLUDED.actions, updated_at = EXCLUDED.updated_at
                 RETURNING",
                "",
                scope.account().as_str(),
                grant.on.as_str(),
                grant.principal.as_str(),
                &texts(&grant.actions),
                Instant(grant.created_at) as _,
                Instant(grant.updated_at) as _,
            );
            let row = match row.fetch_one(&mut transaction).await.map_err(Failure::from) {
                Err(Failure::Constraint(name)) if name == NO_SUCH_RESOURCE => {
                    return Ok(PutGrant::ResourceNotFound);
                }
                row => row?,
            };
            let grant = row.into_grant()?;
            transaction.commit().await?;
            Ok(PutGrant::Saved(grant))
        })
        .await
    }

    async fn find_grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
    ) -> Result<Option<Grant>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
            let row = query_grants!(
                "SELECT",
                "FROM grants g
                 WHERE g.account_urn = $1 AND g.resource_urn = $2 AND g.principal_urn = $3",
                scope.account().as_str(),
                on.as_str(),
                principal.as_str(),
            );
            let row = row.fetch_optional(&mut transaction).await?;
            Ok(row.map(GrantRow::into_grant).transpose()?)
        })
        .await
    }

    async fn remove_grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
        write: Write<'_>,
    ) -> Result<bool> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
            transaction.claim(scope.actor(), write).await?;
            let done = sqlx::query!(
                "DELETE FROM grants g
                 WHERE g.account_urn = $1 AND g.resource_urn = $2 AND g.principal_urn = $3",
                scope.account().as_str(),
                on.as_str(),
                principal.as_str(),
            )
            .execute(&mut transaction)
            .await?;
            if done.rows_affected() == 0 {
                return Ok(false);
            }
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    async fn list_grants(
        &self,
        scope: &AccountScope,
        filter: &GrantFilter,
        after: Option<&GrantPosition>,
        limit: usize,
    ) -> Result<Page<Grant, GrantPosition>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
            // Exclusive start of the page.
            let (behind_on, behind_principal) =
                after.map_or(("", ""), |after| (after.on.as_str(), after.principal.as_str()));
            let account = scope.account().as_str();
            let rows = match filter {
                GrantFilter::All => {
                    query_grants!(
                        "SELECT",
                        "FROM grants g
                         WHERE g.account_urn = $1 AND (g.resource_urn, g.principal_urn) > ($2, $3)
                         ORDER BY g.resource_urn, g.principal_urn LIMIT $4",
                        account,
                        behind_on,
                        behind_principal,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
                GrantFilter::On(on) => {
                    query_grants!(
                        "SELECT",
                        "FROM grants g
                         WHERE g.account_urn = $1 AND g.resource_urn = $2
                           AND (g.resource_urn, g.principal_urn) > ($3, $4)
                         ORDER BY g.resource_urn, g.principal_urn LIMIT $5",
                        account,
                        on.as_str(),
                        behind_on,
                        behind_principal,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
                // The first of the two conditions on the resource is the index range.
                GrantFilter::Of(principal) => {
                    query_grants!(
                        "SELECT",
                        "FROM grants g
                         WHERE g.account_urn = $1 AND g.principal_urn = $2 AND g.resource_urn >= $3
                           AND (g.resource_urn, g.principal_urn) > ($3, $4)
                         ORDER BY g.resource_urn, g.principal_urn LIMIT $5",
                        account,
                        principal.as_str(),
                        behind_on,
                        behind_principal,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
            };
            let grants = rows.into_iter().map(GrantRow::into_grant);
            Ok(Page::cut(grants.collect::<Result<_>>()?, limit, Grant::position))
        })
        .await
    }

    async fn authorize(&self, request: AccessRequest<'_>) -> Result<Option<Access>> {
        self.retry(|| self.access(request)).await
    }
}
