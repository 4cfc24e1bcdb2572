//! Idempotency keys: claimed first in the transaction of the change; the result is stored last. A
//! concurrent write with the same key waits for the first to commit, and is then refused.

use std::collections::BTreeMap;

use larder_domain::{Entity, Resource, UserId};
use larder_storage::{
    Beside, Result, StorageError, StoredEntity, StoredResult, UsedKey, Write, WriteKind,
};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use sqlx::types::Json;

use crate::{
    failure::Failure,
    ids::uuid,
    json::{JsonRow, ResourceJson, corrupt},
    transaction::Transaction,
    types::Instant,
};

impl Transaction {
    /// Claims the key, if the write has one. An expired key is free.
    pub(crate) async fn claim(&mut self, user: UserId, write: Write<'_>) -> Result<(), Failure> {
        let Some(claim) = write.claim else { return Ok(()) };
        let claimed = sqlx::query!(
            "INSERT INTO idempotency_keys AS k (user_id, key, request_hash, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (user_id, key) DO UPDATE
             SET request_hash = EXCLUDED.request_hash, created_at = EXCLUDED.created_at,
                 expires_at = EXCLUDED.expires_at, outcome = NULL
             WHERE k.expires_at <= EXCLUDED.created_at",
            uuid(user),
            claim.key.as_str(),
            &claim.request_hash,
            Instant(write.at) as _,
            Instant(claim.expires_at) as _,
        )
        .execute(self)
        .await?;
        if claimed.rows_affected() == 0 {
            return Err(StorageError::IdempotencyKeyUsed.into());
        }
        Ok(())
    }

    /// Commits, and stores the result under the key, if there is one.
    pub(crate) async fn commit_with(
        mut self,
        user: UserId,
        write: Write<'_>,
        kind: WriteKind<'_>,
        entity: &impl StoredJson,
    ) -> Result<(), Failure> {
        if let Some(claim) = write.claim {
            sqlx::query!(
                "UPDATE idempotency_keys SET outcome = $3 WHERE user_id = $1 AND key = $2",
                uuid(user),
                claim.key.as_str(),
                Json(result_json(kind, entity.to_json())) as _,
            )
            .execute(&mut self)
            .await?;
        }
        self.commit().await
    }
}

/// An entity that the result of a write can hold.
pub(crate) trait StoredJson {
    fn to_json(&self) -> Box<RawValue>;
}

impl<T: Entity> StoredJson for T {
    fn to_json(&self) -> Box<RawValue> {
        raw(&JsonRow::of(self))
    }
}

/// A resource. Its attributes are stored as they are.
pub(crate) struct StoredResource<'a>(pub(crate) &'a Resource);

impl StoredJson for StoredResource<'_> {
    fn to_json(&self) -> Box<RawValue> {
        raw(&ResourceJson::of(self.0))
    }
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("rows print as JSON")
}

type Object = BTreeMap<String, Box<RawValue>>;

/// `{kind: entity}`, or with more: `{kind: {item, applied_hundredths}}`, `{kind: {old, new}}`.
fn result_json(kind: WriteKind<'_>, entity: Box<RawValue>) -> Object {
    let WriteKind { name, applied_hundredths, beside, known: _ } = kind;
    let named =
        |parts: [(&str, Box<RawValue>); 2]| raw(&parts.into_iter().collect::<BTreeMap<_, _>>());
    let result = match (applied_hundredths, beside) {
        (Some(applied), _) => named([("item", entity), ("applied_hundredths", raw(&applied))]),
        (None, Some(beside)) => {
            let old = match beside {
                Beside::Replaced(tag) => tag.to_json(),
                Beside::Rest(item) => item.to_json(),
            };
            named([("old", old), ("new", entity)])
        }
        (None, None) => entity,
    };
    Object::from([(name.to_owned(), result)])
}

/// The stored result of a used key.
pub(crate) fn used_key(request_hash: String, outcome: &str) -> Result<UsedKey> {
    let misfit = |reason: &str| corrupt("the result of an idempotency key", reason);
    let parse = |json: &str| {
        serde_json::from_str::<Object>(json).map_err(|error| misfit(&error.to_string()))
    };
    let (kind, result) = parse(outcome)?.into_iter().next().ok_or_else(|| misfit("has no kind"))?;
    if kind == WriteKind::RESOURCE_CREATED.name {
        let resource: ResourceJson =
            serde_json::from_str(result.get()).map_err(|error| misfit(&error.to_string()))?;
        let entity = StoredEntity::Resource(Box::new(resource.into_resource()?));
        let result = StoredResult { kind, entity, applied_hundredths: None, beside: None };
        return Ok(UsedKey { request_hash, result });
    }
    let row = |json: &str| Ok(StoredEntity::Fields(Box::new(JsonRow::parse(json)?)));
    let mut parts = parse(result.get())?;
    let (applied_hundredths, beside, entity) = if let Some(item) = parts.remove("item") {
        let applied = parts.get("applied_hundredths").and_then(|json| json.get().parse().ok());
        (applied, None, row(item.get())?)
    } else if let (Some(old), Some(new)) = (parts.get("old"), parts.get("new")) {
        (None, Some(row(old.get())?), row(new.get())?)
    } else {
        (None, None, row(result.get())?)
    };
    let result = StoredResult { kind, entity, applied_hundredths, beside };
    Ok(UsedKey { request_hash, result })
}

#[cfg(test)]
mod tests {
    use larder_domain::{NotificationSubject, Quantity, ShoppingItem, TagStep};
    use larder_storage::{AddedItem, AdjustedItem, Replay, RotatedTag};

    use super::*;

    const ID: &str = "550e8400-e29b-41d4-a716-446655440000";
    const AT: &str = "2026-01-01T00:00:00.000Z";

    /// Results as they were stored when each entity had JSON of its own: keys live for a day, so a server
    /// that was upgraded meanwhile must answer them.
    fn stored<T: Replay>(outcome: &str) -> T {
        let outcome = outcome.replace("{id}", ID).replace("{at}", AT);
        T::replay(&used_key("digest".to_owned(), &outcome).unwrap().result).unwrap()
    }

    const ITEM: &str = r#"{"id":"{id}","household_id":null,"name":"Milk","quantity":1.50,"unit":"L",
        "expiration_date":"2031-01-18","category_id":"{id}","storage_location_id":null,
        "image_url":null,"notes":null,"low_stock_threshold":2,"preferred_store_id":null,
        "created_by":"{id}","created_at":"{at}","updated_by":"{id}","updated_at":"{at}","version":3}"#;

    #[test]
    fn an_item_of_the_older_format_is_replayed() {
        let added: AddedItem = stored(&format!(r#"{{"ItemMerged":{ITEM}}}"#));
        assert!(added.merged);
        assert_eq!(added.item.details.quantity, Quantity::parse("1.5").unwrap());
        assert_eq!(added.item.owner, larder_domain::Owner::User(ID.parse().unwrap()));
        let adjusted = format!(r#"{{"ItemAdjusted":{{"item":{ITEM},"applied_hundredths":-300}}}}"#);
        let adjusted: AdjustedItem = stored(&adjusted);
        assert_eq!((adjusted.item, adjusted.applied_hundredths), (added.item, -300));
    }

    #[test]
    fn an_entry_of_the_older_format_is_replayed() {
        let entry: ShoppingItem = stored(
            r#"{"ShoppingItemAdded":{"id":"{id}","household_id":"{id}","item_id":null,"name":"Tea",
                "store_id":null,"status":"purchased","quantity":2,"notes":null,"version":1,
                "expires_at":"{at}","added_by":"{id}","created_at":"{at}","updated_at":"{at}"}}"#,
        );
        assert_eq!(entry.id, ID.parse().unwrap());
        assert_eq!(entry.expires_at, Some(AT.parse().unwrap()));
    }

    #[test]
    fn tags_and_notifications_of_the_older_format_are_replayed() {
        let tag = r#"{"url_id":"02gSZw8ZQPb7D5kN3X8mQ7","household_id":"{id}","item_id":"{id}",
            "item_name":"Milk","label":null,"step_hundredths":25,"rotated_at":null,
            "rotated_by":null,"created_by":"{id}","created_at":"{at}","last_accessed_at":null,
            "access_count":7}"#;
        let old = tag
            .replace(r#""rotated_at":null"#, r#""rotated_at":"{at}""#)
            .replace(r#""rotated_by":null"#, r#""rotated_by":"{id}""#);
        let rotated: RotatedTag =
            stored(&format!(r#"{{"TagRotated":{{"old":{old},"new":{tag}}}}}"#));
        assert_eq!(rotated.new.step, TagStep::parse("0.25").unwrap());
        assert!(rotated.new.is_active() && !rotated.old.is_active());

        let seen: larder_domain::Notification = stored(
            r#"{"NotificationAcknowledged":{"id":"{id}","household_id":"{id}","item_id":"{id}",
                "item_name":"Milk","kind":"expired","expires_on":"2031-01-18","quantity":null,
                "threshold":null,"unit":null,"created_at":"{at}","acknowledged_by":"{id}",
                "acknowledged_at":"{at}","resolved_at":null}}"#,
        );
        assert_eq!(seen.id, ID.parse().unwrap());
        let date = larder_domain::ExpirationDate::parse("2031-01-18").unwrap();
        assert_eq!(seen.subject, NotificationSubject::Expired(date));
    }
}
