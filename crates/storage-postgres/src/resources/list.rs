//! Resources one by one and page by page, in the order of their URNs.

use larder_domain::{PropertyName, Resource, ResourceKind, UniqueValue, Urn};
use larder_storage::{AccountScope, Page, Result};

use super::row::{ResourceRow, query_resources};
use crate::{PostgresStore, context::Context, failure::Failure, transaction::Transaction};

/// Above every URN, as they all begin with `urn:`.
const ABOVE_ALL: &str = "v";
/// Above every id behind the prefix of a kind.
const ABOVE_IDS: char = 'g';

/// A page of the resources linked to a resource; `None` if that does not exist.
macro_rules! linked_page {
    (
        $query:ident,
        $from:literal,
        ($self:ident, $scope:ident, $urn:ident, $after:ident, $limit:ident)
    ) => {{
        let context = $crate::context::Context::of_account_scope($scope);
        let mut transaction = $self.database.read(&context).await?;
        let rows = $query!(
            "SELECT",
            $from,
            $scope.account().as_str(),
            $urn.as_str(),
            $after.map_or("", Urn::as_str),
            $crate::resources::one_more($limit),
        );
        let rows = rows.fetch_all(&mut transaction).await?;
        let exists = !rows.is_empty() || transaction.has_resource($scope, $urn).await?;
        exists.then_some(rows)
    }};
}

pub(super) use linked_page;

impl PostgresStore {
    pub(super) async fn resource(
        &self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<Resource>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        transaction.resource(scope, urn).await
    }

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

    pub(super) async fn children_page(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>, Failure> {
        linked_page!(
            query_resources,
            "FROM parent_child_relationships c
             JOIN resources r ON r.account_urn = c.account_urn AND r.urn = c.child_urn
             WHERE c.account_urn = $1 AND c.parent_urn = $2 AND c.child_urn > $3
             ORDER BY c.child_urn LIMIT $4",
            (self, scope, parent, after, limit)
        )
        .map(|rows| page(rows, limit))
        .transpose()
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
}

/// How many rows show a page and whether more follow.
pub(crate) fn one_more(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1
}

pub(super) fn page(rows: Vec<ResourceRow>, limit: usize) -> Result<Page<Resource, Urn>, Failure> {
    let resources = rows.into_iter().map(ResourceRow::into_resource).collect::<Result<Vec<_>>>()?;
    Ok(Page::cut(resources, limit, |resource| resource.urn.clone()))
}
