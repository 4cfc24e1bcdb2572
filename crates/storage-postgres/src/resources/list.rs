//! Resources one by one and page by page, in the order of their URNs.

use larder_domain::{PropertyName, Resource, ResourceKind, UniqueValue, Urn};
use larder_storage::{AccountScope, Membership, Page, Result, StorageError};

use super::row::{ResourceRow, query_resources, read_urn};
use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, transaction::Transaction,
};

/// Above every URN, as they all begin with `urn:`.
const ABOVE_ALL: &str = "v";
/// Above every id behind the prefix of a kind.
const ABOVE_IDS: char = 'g';
/// Separates account and URN in a position; neither contains it.
const SEPARATOR: char = ' ';

/// A page of the resources linked to a resource; `None` if that does not exist.
macro_rules! linked_page {
    (
        $query:ident as $page:expr,
        $from:literal,
        ($self:ident, $scope:ident, $urn:ident, $after:ident, $limit:ident)
    ) => {
        $self.retry(|| async move {
            let context = $crate::context::Context::of_account_scope($scope);
            let mut transaction = $self.database.read(&context).await?;
            let rows = $query!(
                "SELECT",
                $from,
                $scope.account().as_str(),
                $urn.as_str(),
                $after.map_or("", Urn::as_str),
                $crate::database::one_more($limit),
            );
            let rows = rows.fetch_all(&mut transaction).await?;
            let exists = !rows.is_empty() || transaction.has_resource($scope, $urn).await?;
            exists.then(|| $page(rows, $limit)).transpose()
        })
    };
}

pub(super) use linked_page;

impl PostgresStore {
    pub(super) async fn resources_page(
        &self,
        scope: &AccountScope,
        kind: Option<&ResourceKind>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Resource, Urn>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        // URNs of one kind are adjacent.
        let prefix = kind.map(ResourceKind::prefix).unwrap_or_default();
        let below = kind.map_or(ABOVE_ALL.to_owned(), |_| format!("{prefix}{ABOVE_IDS}"));
        let behind = after.map_or(prefix.as_str(), |after| prefix.as_str().max(after.as_str()));
        let rows = query_resources!(
            "SELECT",
            "FROM resources r
             WHERE r.account_urn = $1 AND r.urn > $2 AND r.urn < $3 ORDER BY r.urn LIMIT $4",
            scope.account().as_str(),
            behind,
            below,
            one_more(limit),
        );
        page(rows.fetch_all(&mut transaction).await?, limit)
    }

    /// By the value as given or, if it is case-insensitive, by its folded form.
    pub(super) async fn holder(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        let row = query_resources!(
            "SELECT",
            "FROM unique_key_values h
             JOIN resources r ON r.account_urn = h.account_urn AND r.urn = h.associated_record_urn
             WHERE h.resource_type = $2 AND h.key = $3 AND h.value = ANY (ARRAY[$4, $5])
               AND (h.value = $4 OR h.case_insensitive)
               AND h.account_urn = $1 AND split_part(h.associated_record_urn, ':', 2) = $6
             ORDER BY h.value = $4 DESC LIMIT 1",
            scope.account().as_str(),
            kind.resource_type.as_str(),
            property.as_str(),
            value.as_str(),
            value.folded(),
            kind.domain.as_str(),
        );
        let row = row.fetch_optional(&mut transaction).await?;
        Ok(row.map(ResourceRow::into_resource).transpose()?)
    }

    /// Iterates over the resources of all accounts: URNs are listed across accounts, resources read
    /// account by account.
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
    pub(super) async fn resource(
        &mut self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<Resource>, Failure> {
        let row = query_resources!(
            "SELECT",
            "FROM resources r WHERE r.account_urn = $1 AND r.urn = $2",
            scope.account().as_str(),
            urn.as_str(),
        );
        let row = row.fetch_optional(self).await?;
        Ok(row.map(ResourceRow::into_resource).transpose()?)
    }

    pub(super) async fn has_resource(
        &mut self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<bool, Failure> {
        let has = sqlx::query_scalar!(
            r#"SELECT EXISTS (
                 SELECT FROM resources r WHERE r.account_urn = $1 AND r.urn = $2) AS "has!""#,
            scope.account().as_str(),
            urn.as_str(),
        );
        Ok(has.fetch_one(self).await?)
    }

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

pub(super) fn page(rows: Vec<ResourceRow>, limit: usize) -> Result<Page<Resource, Urn>, Failure> {
    let resources = rows.into_iter().map(ResourceRow::into_resource).collect::<Result<Vec<_>>>()?;
    Ok(Page::cut(resources, limit, |resource| resource.urn.clone()))
}

pub(super) fn membership_page(
    rows: Vec<ResourceRow>,
    limit: usize,
) -> Result<Page<Membership, Urn>, Failure> {
    let rows = rows.into_iter().map(ResourceRow::into_membership);
    let memberships = rows.collect::<Result<Vec<_>>>()?;
    Ok(Page::cut(memberships, limit, |membership| membership.resource.urn.clone()))
}
