//! `IdempotencyKey` records: the result of a write at that time, embedded by the same transaction.

use jiff::Timestamp;
use larder_domain::UserId;
use larder_storage::{
    Beside, IdempotencyClaim, KnownResult, Result, StoredEntity, StoredResult, UsedKey, WriteKind,
};

use crate::{
    Record, Value,
    layout::{
        entity::Layout,
        fields::{Fields, hundredths_number, seconds_number, timestamp_text},
        household, item, keys, notification, places, product,
        relational::resource,
        shopping, tag,
    },
};

/// The attribute of the record that the write left.
pub(crate) const RESULT: &str = "result";
/// The attribute of a second entity: the replaced tag, or the rest of a lot.
const REPLACED: &str = "replaced";
/// The attribute of the delta that an adjustment applied.
const APPLIED: &str = "applied";

/// What was taken from the lots of a product has no record of its own.
const CONSUMED_ENTITY: &str = "Consumed";
const CONSUMED: Layout = Layout { renamed: &[], writes_null: false };

/// The record, still without the result that a step of the write embeds.
pub(crate) fn to_record(
    user: UserId,
    claim: &IdempotencyClaim,
    kind: WriteKind<'_>,
    at: Timestamp,
) -> Record {
    let WriteKind { name, applied_hundredths, beside, known } = kind;
    let key = keys::idempotency(user, &claim.key);
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "IdempotencyKey")
        .with("userId", user.to_string())
        .with("requestHash", claim.request_hash.as_str())
        .with("outcome", name)
        .with_some(APPLIED, applied_hundredths.map(hundredths_number))
        .with_some(RESULT, known.map(|known| Value::M(known_record(known))))
        .with_some(REPLACED, beside.map(|beside| Value::M(beside_record(beside))))
        .with("createdAt", timestamp_text(at))
        .with("ttl", seconds_number(claim.expires_at))
}

fn beside_record(beside: Beside<'_>) -> Record {
    match beside {
        Beside::Replaced(tag) => tag::to_record(tag),
        Beside::Rest(item) => item::to_record(item),
    }
}

fn known_record(known: KnownResult<'_>) -> Record {
    match known {
        KnownResult::Deleted(item) => item::to_record(item),
        KnownResult::Joined(product) => product::to_record(product),
        KnownResult::Consumed(consumed) => {
            CONSUMED.write(consumed, Record::new().with("entityType", CONSUMED_ENTITY))
        }
    }
}

pub(crate) fn from_record(record: &Record) -> Result<UsedKey> {
    let fields = Fields(record);
    let applied_hundredths = match record.get(APPLIED) {
        Some(_) => Some(fields.hundredths(APPLIED)?),
        None => None,
    };
    let beside = match record.get(REPLACED) {
        Some(_) => Some(stored(fields.map(REPLACED)?)?),
        None => None,
    };
    let result = StoredResult {
        kind: fields.text("outcome")?.to_owned(),
        entity: stored(fields.map(RESULT)?)?,
        applied_hundredths,
        beside,
    };
    Ok(UsedKey { request_hash: fields.text("requestHash")?.to_owned(), result })
}

/// An embedded record names its entity.
fn stored(record: &Record) -> Result<StoredEntity> {
    let layout = match record.text("entityType") {
        Some(item::ENTITY) => item::LAYOUT,
        Some(product::ENTITY) => product::LAYOUT,
        Some(CONSUMED_ENTITY) => CONSUMED,
        Some(household::ENTITY) => household::LAYOUT,
        Some(places::LOCATION_ENTITY) => places::LOCATION,
        Some(places::STORE_ENTITY) => places::STORE,
        Some(shopping::ENTITY) => shopping::LAYOUT,
        Some(tag::ENTITY) => tag::LAYOUT,
        Some(notification::ENTITY) => notification::LAYOUT,
        _ => {
            let resource = resource::from_record(record)?.resource;
            return Ok(StoredEntity::Resource(Box::new(resource)));
        }
    };
    Ok(layout.stored(record.clone()))
}

#[cfg(test)]
mod tests {
    use larder_domain::{
        Attributes, HouseholdId, MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTE_DEPTH, Resource, SchemaVersion,
        UniqueKeys, Urn,
    };
    use larder_storage::{IdempotencyKey, Replay as _};

    use super::*;
    use crate::{Action, Condition, Table, Transaction, layout::relational::resource::Counted};

    fn resource(attributes: &str) -> Resource {
        Resource {
            urn: "urn:pp:Home.Box::01955556-3cd2-7df2-b839-693fa6fbd505".parse().unwrap(),
            account: Urn::of_household(HouseholdId::fixed(1)),
            parent: None,
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::from_json(attributes).unwrap(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        }
    }

    /// The stored result of a write that created this resource.
    fn remembered(made: &Resource) -> Result<UsedKey> {
        let claim = IdempotencyClaim {
            key: IdempotencyKey::parse(&"k".repeat(64)).unwrap(),
            request_hash: "h".repeat(64),
            expires_at: Timestamp::UNIX_EPOCH,
        };
        let at = Timestamp::UNIX_EPOCH;
        let put = |table, record, embed| Action::Put {
            table,
            record,
            when: vec![Condition::NotExists],
            embed,
        };
        let claim = to_record(UserId::fixed(1), &claim, WriteKind::RESOURCE_CREATED, at);
        let record = resource::to_record(&Counted::new(made.clone()));
        let actions = vec![
            put(Table::InventoryManagement, claim, Some((RESULT.into(), 1))),
            put(Table::Relational, record, None),
        ];
        let transaction = Transaction { actor: "a".to_owned(), at, actions };
        transaction.validate()?;
        from_record(transaction.images(|_| None)?[0].as_ref().unwrap())
    }

    #[test]
    fn the_largest_and_the_deepest_resource_fit_into_what_a_write_is_remembered_by() {
        let levels = MAX_ATTRIBUTE_DEPTH - 1;
        let deepest = format!(r#"{{"a":{}1{}}}"#, "[".repeat(levels), "]".repeat(levels));
        // The map of all attributes and each of them count beside the text.
        let largest = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_ATTRIBUTE_BYTES - 5));
        for attributes in [deepest, largest] {
            let made = resource(&attributes);
            let used = remembered(&made).unwrap();
            assert_eq!(Resource::replay(&used.result).unwrap(), made);
        }
    }

    #[test]
    fn nothing_larger_or_deeper_becomes_a_resource() {
        let deeper = format!(
            r#"{{"a":{}1{}}}"#,
            "[".repeat(MAX_ATTRIBUTE_DEPTH),
            "]".repeat(MAX_ATTRIBUTE_DEPTH)
        );
        let larger = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_ATTRIBUTE_BYTES - 4));
        for attributes in [deeper, larger] {
            assert!(Attributes::from_json(&attributes).is_err());
        }
    }
}
