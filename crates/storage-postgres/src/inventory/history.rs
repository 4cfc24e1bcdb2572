//! The audit trail of an item.

use larder_domain::{ItemId, Versions};
use larder_storage::{ItemChange, Page, Result, Scope};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    feed::number,
    ids::{domain_id, inventory_id, uuid},
    json,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn history(
        &self,
        scope: Scope,
        id: ItemId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ItemChange, u64>, Failure> {
        let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
        let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
        let rows = sqlx::query!(
            r#"SELECT sequence, changed_at AS "changed_at: Instant", changed_by,
                      old_values::text, new_values::text
               FROM inventory_audit
               WHERE item_id = $1 AND inventory_id = $2 AND sequence < $3
               ORDER BY sequence DESC LIMIT $4"#,
            uuid(id),
            inventory_id(scope.owner()),
            before,
            i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1,
        )
        .fetch_all(&mut transaction)
        .await?;
        let decode = |image: Option<String>| image.map(|text| json::decode(&text)).transpose();
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            changes.push(ItemChange {
                sequence: number(row.sequence)?,
                at: row.changed_at.0,
                by: row.changed_by.map(domain_id),
                versions: Versions { old: decode(row.old_values)?, new: decode(row.new_values)? },
            });
        }
        Ok(Page::cut(changes, limit, |change| change.sequence))
    }
}
