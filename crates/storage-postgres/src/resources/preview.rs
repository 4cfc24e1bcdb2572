//! Preview of what deleting a resource would delete.

use larder_domain::{Doomed, Urn};
use larder_storage::{AccountScope, Page, Result};

use super::row::{keys_of, read_urn};
use crate::{PostgresStore, context::Context, database::one_more, failure::Failure, items::misfit};

/// A resource and the counts of what is deleted with it.
struct DoomedRow {
    urn: String,
    parent_urn: Option<String>,
    unique_keys: Option<String>,
    links: i64,
}

impl PostgresStore {
    pub(super) async fn preview_page(
        &self,
        scope: &AccountScope,
        root: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Doomed, Urn>>, Failure> {
        let mut transaction = self.database.read(&Context::of_account_scope(scope)).await?;
        if !transaction.has_resource(scope, root).await? {
            return Ok(None);
        }
        let rows = sqlx::query_as!(
            DoomedRow,
            r#"SELECT d.urn AS "urn!",
                 (SELECT p.parent_urn FROM parent_child_relationships p WHERE p.child_urn = d.urn)
                   AS "parent_urn?",
                 (SELECT json_agg(json_build_array(k.key, k.given_value, k.case_insensitive))::text
                  FROM unique_key_values k WHERE k.account_urn = $1 AND k.associated_record_urn = d.urn)
                   AS "unique_keys?",
                 (SELECT count(*) FROM collection_member_relationships m
                  WHERE m.account_urn = $1 AND m.collection_urn = d.urn)
                 + (SELECT count(*) FROM collection_member_relationships m
                    WHERE m.account_urn = $1 AND m.member_urn = d.urn)
                 + (SELECT count(*) FROM grants g
                    WHERE g.account_urn = $1 AND g.resource_urn = d.urn) AS "links!"
               FROM unnest(subtree_in_preorder($1, $2, $3, $4)) WITH ORDINALITY AS d (urn, place)
               ORDER BY d.place"#,
            scope.account().as_str(),
            root.as_str(),
            after.map(Urn::as_str),
            i32::try_from(one_more(limit)).unwrap_or(i32::MAX),
        );
        let rows = rows.fetch_all(&mut transaction).await?;
        let doomed = rows.into_iter().map(DoomedRow::into_doomed).collect::<Result<Vec<_>>>()?;
        Ok(Some(Page::cut(doomed, limit, |doomed| doomed.urn.clone())))
    }
}

impl DoomedRow {
    fn into_doomed(self) -> Result<Doomed> {
        let record = format!("resources {}", self.urn);
        let parent = self.parent_urn.map(|urn| read_urn(&record, "parent_urn", &urn));
        Ok(Doomed {
            urn: read_urn(&record, "urn", &self.urn)?,
            parent: parent.transpose()?,
            unique_keys: keys_of(self.unique_keys.as_deref())
                .map_err(|reason| misfit(&record, "unique_keys", reason))?,
            links: u64::try_from(self.links).map_err(|e| misfit(&record, "links", e))?,
        })
    }
}
