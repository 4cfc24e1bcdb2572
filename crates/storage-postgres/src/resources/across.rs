//! Iterating over the resources of all accounts: URNs are listed across accounts, resources read
//! account by account.

use larder_domain::{Resource, Urn};
use larder_storage::{Result, StorageError};

use super::row::{ResourceRow, query_resources, read_urn};
use crate::{PostgresStore, context::Context, failure::Failure, transaction::Transaction};

/// Separates account and URN in a position; neither contains it.
const SEPARATOR: char = ' ';

impl PostgresStore {
    pub(super) async fn resources_behind(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>), Failure> {
        let not_ours = || StorageError::Defect("a place of another engine".to_owned());
        let (account, urn) = match after {
            Some(place) => place.split_once(SEPARATOR).ok_or_else(not_ours)?,
            None => ("", ""),
        };
        let mut transaction = self.database.read(&Context::of_server()).await?;
        let names = sqlx::query!(
            r#"SELECT account_urn AS "account_urn!", urn AS "urn!" FROM resources_behind($1, $2, $3)"#,
            account,
            urn,
            i32::try_from(limit).unwrap_or(i32::MAX),
        );
        let names = names.fetch_all(&mut transaction).await?;
        let mut resources = Vec::with_capacity(names.len());
        for of_account in names.chunk_by(|one, next| one.account_urn == next.account_urn) {
            let account = read_urn("resources", "account_urn", &of_account[0].account_urn)?;
            let urns: Vec<_> = of_account.iter().map(|name| name.urn.clone()).collect();
            resources.extend(transaction.resources_of(&account, &urns).await?);
        }
        let last = names.last().filter(|_| names.len() == limit);
        let next = last.map(|last| format!("{}{SEPARATOR}{}", last.account_urn, last.urn));
        Ok((resources, next))
    }
}

impl Transaction {
    /// Those of these resources that still exist, read in the context of their account.
    async fn resources_of(
        &mut self,
        account: &Urn,
        urns: &[String],
    ) -> Result<Vec<Resource>, Failure> {
        self.extend(Context::of_account(account)).await?;
        let rows = query_resources!(
            "SELECT",
            "FROM resources r WHERE r.account_urn = $1 AND r.urn = ANY ($2) ORDER BY r.urn",
            account.as_str(),
            urns,
        );
        let rows = rows.fetch_all(self).await?;
        Ok(rows.into_iter().map(ResourceRow::into_resource).collect::<Result<_>>()?)
    }
}
