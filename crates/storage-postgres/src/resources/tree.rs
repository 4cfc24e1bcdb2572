//! Setting and removing parents, and listing ancestors.

use larder_domain::{ParentChildRelationship, Resource, Urn};
use larder_storage::{AccountScope, AttachResource, Page, Result, StorageError, Write};

use super::{list::page, row::query_resources};
use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, types::Instant,
};

impl PostgresStore {
    pub(super) async fn attach(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        let answer = sqlx::query_scalar!(
            r#"SELECT attach_resource($1, $2, $3, $4) AS "answer!""#,
            scope.account().as_str(),
            link.parent().as_str(),
            link.child().as_str(),
            Instant(write.at) as _,
        )
        .fetch_one(&mut transaction)
        .await?;
        match answer.as_str() {
            "attached" => {}
            "parent_not_found" => return Ok(AttachResource::ParentNotFound),
            "cycle" => return Ok(AttachResource::Cycle),
            "not_found" => return Ok(AttachResource::NotFound),
            other => return Err(StorageError::Defect(format!("attaching answered {other}")).into()),
        }
        let Some(child) = transaction.resource(scope, link.child()).await? else {
            return Ok(AttachResource::NotFound);
        };
        transaction.commit().await?;
        Ok(AttachResource::Attached(Box::new(child)))
    }

    pub(super) async fn detach(
        &self,
        scope: &AccountScope,
        child: &Urn,
        write: Write<'_>,
    ) -> Result<Option<Resource>, Failure> {
        let mut transaction = self.database.write(&Context::of_account_scope(scope)).await?;
        transaction.claim(scope.actor(), write).await?;
        sqlx::query!(
            "SELECT FROM detach_resource($1, $2, $3)",
            scope.account().as_str(),
            child.as_str(),
            Instant(write.at) as _,
        )
        .execute(&mut transaction)
        .await?;
        let Some(child) = transaction.resource(scope, child).await? else { return Ok(None) };
        transaction.commit().await?;
        Ok(Some(child))
    }

    pub(super) async fn ancestors_page(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        // The recursion stops at the outer query's limit.
        let rows = query_resources!(
            r#"WITH RECURSIVE above (urn, distance) AS (
                 SELECT p.parent_urn, 1 FROM parent_child_relationships p
                 WHERE p.account_urn = $1 AND p.child_urn = $2
                 UNION ALL
                 SELECT next.parent_urn, a.distance + 1 FROM above a CROSS JOIN LATERAL (
                   SELECT p.parent_urn FROM parent_child_relationships p
                   WHERE p.child_urn = a.urn LIMIT 1) AS next)
               SELECT"#,
            "FROM (SELECT above.urn, above.distance FROM above LIMIT $3) AS a
             CROSS JOIN LATERAL (
               SELECT * FROM resources r WHERE r.account_urn = $1 AND r.urn = a.urn LIMIT 1) AS r
             ORDER BY a.distance",
            scope.account().as_str(),
            after.unwrap_or(urn).as_str(),
            one_more(limit),
        );
        let rows = rows.fetch_all(&mut transaction).await?;
        if (rows.is_empty() || after.is_some()) && !transaction.has_resource(scope, urn).await? {
            return Ok(None);
        }
        page(rows, limit).map(Some)
    }
}
