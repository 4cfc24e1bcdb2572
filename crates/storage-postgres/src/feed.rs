//! The feed of changes, as the triggers wrote it.

use larder_domain::{Change, Entity, Versions};
use larder_storage::{Changes, RecordedChange, Result, Scope, StorageError};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, inventory_id},
    json,
    types::Instant,
};

impl PostgresStore {
    /// One statement, so that floor and entries come from the same snapshot.
    pub(crate) async fn read_feed(
        &self,
        scope: Scope,
        after: u64,
        limit: usize,
    ) -> Result<Option<Changes>, Failure> {
        let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
        let rows = sqlx::query!(
            r#"SELECT s.floor, o.sequence AS "sequence?", o.changed_at AS "changed_at?: Instant",
                      o.changed_by AS "changed_by?", o.entity AS "entity?",
                      COALESCE(a.old_values, o.old_values)::text AS old,
                      COALESCE(a.new_values, o.new_values)::text AS new
               FROM change_sequences s
               LEFT JOIN LATERAL (
                   SELECT * FROM outbox o
                   WHERE o.inventory_id = s.inventory_id AND o.sequence > $2
                   ORDER BY o.sequence LIMIT $3
               ) o ON true
               LEFT JOIN inventory_audit a ON o.entity = 'item' AND a.item_id = o.entity_id
                   AND a.sequence = o.sequence AND a.inventory_id = o.inventory_id
               WHERE s.inventory_id = $1
               ORDER BY o.sequence"#,
            inventory_id(scope.owner()),
            i64::try_from(after).unwrap_or(i64::MAX),
            i64::try_from(limit).unwrap_or(i64::MAX),
        )
        .fetch_all(&mut transaction)
        .await?;
        if let Some(row) = rows.first()
            && after < number(row.floor)?
        {
            return Ok(None);
        }
        let mut changes = Changes { changes: Vec::new(), read_to: after, more: false };
        let mut read = 0;
        for row in rows {
            let (Some(sequence), Some(at), Some(entity)) =
                (row.sequence, row.changed_at, row.entity)
            else {
                continue;
            };
            read += 1;
            changes.read_to = number(sequence)?;
            if let Some(change) = change_of(&entity, row.old.as_deref(), row.new.as_deref())? {
                let by = row.changed_by.map(domain_id);
                let sequence = changes.read_to;
                changes.changes.push(RecordedChange { sequence, at: at.0, by, change });
            }
        }
        changes.more = read == limit;
        Ok(Some(changes))
    }

    /// The number of the newest change.
    pub(crate) async fn feed_head(&self, scope: Scope) -> Result<u64, Failure> {
        let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
        let head = sqlx::query_scalar!(
            "SELECT sequence FROM change_sequences WHERE inventory_id = $1",
            inventory_id(scope.owner()),
        )
        .fetch_optional(&mut transaction)
        .await?;
        Ok(number(head.unwrap_or(0))?)
    }
}

/// A sequence number as the ports have it.
pub(crate) fn number(sequence: i64) -> Result<u64> {
    u64::try_from(sequence).map_err(|_| StorageError::Corrupt {
        record: "a sequence number".to_owned(),
        reason: format!("{sequence} is negative"),
    })
}

/// The change for listeners; `None` if neither version is left.
fn change_of(entity: &str, old: Option<&str>, new: Option<&str>) -> Result<Option<Change>> {
    if old.is_none() && new.is_none() {
        return Ok(None);
    }
    Ok(Some(match entity {
        "item" => Change::Item(Box::new(versions(old, new)?)),
        "product" => Change::Product(Box::new(versions(old, new)?)),
        "household" => Change::Household(Box::new(versions(old, new)?)),
        "member" => Change::Member(versions(old, new)?),
        "location" => Change::Location(versions(old, new)?),
        "store" => Change::Store(versions(old, new)?),
        "shopping" => Change::Shopping(Box::new(versions(old, new)?)),
        "notification" => Change::Notification(Box::new(versions(old, new)?)),
        other => {
            let record = "outbox".to_owned();
            return Err(StorageError::Corrupt {
                record,
                reason: format!("unknown entity {other}"),
            });
        }
    }))
}

fn versions<T: Entity>(old: Option<&str>, new: Option<&str>) -> Result<Versions<T>> {
    let decode = |image: Option<&str>| image.map(json::decode).transpose();
    Ok(Versions { old: decode(old)?, new: decode(new)? })
}
