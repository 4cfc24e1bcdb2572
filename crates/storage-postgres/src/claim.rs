//! Idempotency keys: claimed as the first thing in the transaction of the change, with the result as the
//! last. Whoever comes with the same key meanwhile waits for the first to commit, and is refused then.

use std::collections::BTreeMap;

use larder_domain::{Entity, Resource, UserId};
use larder_storage::{Result, StorageError, StoredEntity, StoredResult, UsedKey, Write, WriteKind};
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
    /// Takes the key, if the write carries one; an expired one is free again.
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

/// A resource, whose attributes are its own.
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

/// `{kind: entity}`, where the entity may have company: `{kind: {item, applied_hundredths}}`, `{kind: {old, new}}`.
fn result_json(kind: WriteKind<'_>, entity: Box<RawValue>) -> Object {
    let WriteKind { name, applied_hundredths, replaced } = kind;
    let named =
        |parts: [(&str, Box<RawValue>); 2]| raw(&parts.into_iter().collect::<BTreeMap<_, _>>());
    let result = match (applied_hundredths, replaced) {
        (Some(applied), _) => named([("item", entity), ("applied_hundredths", raw(&applied))]),
        (None, Some(old)) => named([("old", old.to_json()), ("new", entity)]),
        (None, None) => entity,
    };
    Object::from([(name.to_owned(), result)])
}

/// What a key remembers.
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
        let result = StoredResult { kind, entity, applied_hundredths: None, replaced: None };
        return Ok(UsedKey { request_hash, result });
    }
    let row = |json: &str| Ok(StoredEntity::Fields(Box::new(JsonRow::parse(json)?)));
    let mut parts = parse(result.get())?;
    let (applied_hundredths, replaced, entity) = if let Some(item) = parts.remove("item") {
        let applied = parts.get("applied_hundredths").and_then(|json| json.get().parse().ok());
        (applied, None, row(item.get())?)
    } else if let (Some(old), Some(new)) = (parts.get("old"), parts.get("new")) {
        (None, Some(row(old.get())?), row(new.get())?)
    } else {
        (None, None, row(result.get())?)
    };
    let result = StoredResult { kind, entity, applied_hundredths, replaced };
    Ok(UsedKey { request_hash, result })
}
