//! The grants of an account: all, those on one resource, those of one principal.

use larder_domain::{Grant, GrantFilter, GrantPosition, Urn};
use larder_storage::{AccountScope, Page, Result};

use super::row::{GrantRow, query_grants};
use crate::{
    PostgresStore, context::Context, failure::Failure, resources::one_more,
    transaction::Transaction,
};

/// Exclusive start of a page.
struct Behind<'a> {
    on: &'a str,
    principal: &'a str,
}

impl PostgresStore {
    pub(super) async fn grants_page(
        &self,
        scope: &AccountScope,
        filter: &GrantFilter,
        after: Option<&GrantPosition>,
        limit: usize,
    ) -> Result<Page<Grant, GrantPosition>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        let behind = Behind {
            on: after.map_or("", |after| after.on.as_str()),
            principal: after.map_or("", |after| after.principal.as_str()),
        };
        let (account, most) = (scope.account(), one_more(limit));
        let rows = match filter {
            GrantFilter::All => transaction.all_grants(account, &behind, most).await?,
            GrantFilter::On(on) => transaction.grants_on(account, on, &behind, most).await?,
            GrantFilter::Of(principal) => {
                transaction.grants_of(account, principal, &behind, most).await?
            }
        };
        let grants = rows.into_iter().map(GrantRow::into_grant).collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(grants, limit, Grant::position))
    }
}

impl Transaction {
    async fn all_grants(
        &mut self,
        account: &Urn,
        behind: &Behind<'_>,
        most: i64,
    ) -> Result<Vec<GrantRow>, Failure> {
        let rows = query_grants!(
            "SELECT",
            "FROM grants g
             WHERE g.account_urn = $1 AND (g.resource_urn, g.principal_urn) > ($2, $3)
             ORDER BY g.resource_urn, g.principal_urn LIMIT $4",
            account.as_str(),
            behind.on,
            behind.principal,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }

    async fn grants_on(
        &mut self,
        account: &Urn,
        on: &Urn,
        behind: &Behind<'_>,
        most: i64,
    ) -> Result<Vec<GrantRow>, Failure> {
        let rows = query_grants!(
            "SELECT",
            "FROM grants g
             WHERE g.account_urn = $1 AND g.resource_urn = $2
               AND (g.resource_urn, g.principal_urn) > ($3, $4)
             ORDER BY g.resource_urn, g.principal_urn LIMIT $5",
            account.as_str(),
            on.as_str(),
            behind.on,
            behind.principal,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }

    async fn grants_of(
        &mut self,
        account: &Urn,
        principal: &Urn,
        behind: &Behind<'_>,
        most: i64,
    ) -> Result<Vec<GrantRow>, Failure> {
        // The first of the two conditions is the index range.
        let rows = query_grants!(
            "SELECT",
            "FROM grants g
             WHERE g.account_urn = $1 AND g.principal_urn = $2 AND g.resource_urn >= $3
               AND (g.resource_urn, g.principal_urn) > ($3, $4)
             ORDER BY g.resource_urn, g.principal_urn LIMIT $5",
            account.as_str(),
            principal.as_str(),
            behind.on,
            behind.principal,
            most,
        );
        Ok(rows.fetch_all(self).await?)
    }
}
