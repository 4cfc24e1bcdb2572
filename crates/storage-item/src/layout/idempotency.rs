//! `IdempotencyKey` records: what a write did, as it was at that time, embedded by the same transaction.

use jiff::Timestamp;
use larder_domain::{NfcUrl, UserId};
use larder_storage::{IdempotencyClaim, Result, UsedKey, WriteOutcome};

use crate::{
    Record, Value,
    layout::{
        fields::{Fields, hundredths_number, seconds_number, timestamp_text},
        household, item, keys, notification, places,
        relational::resource,
        shopping, tag,
    },
};

/// The attribute that holds the record which the write left behind.
pub(crate) const RESULT: &str = "result";
/// The attribute that holds the tag which another took the place of.
const REPLACED: &str = "replaced";

/// What kind of write used the key, and so what the embedded record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Did<'a> {
    ItemAdded,
    ItemMerged,
    ItemAdjusted {
        applied_hundredths: i64,
    },
    HouseholdCreated,
    HouseholdJoined,
    InviteCodeReplaced,
    LocationAdded,
    StoreAdded,
    ShoppingItemAdded,
    TagAdded,
    /// The embedded record is the new tag; this is the one that it replaced.
    TagRotated {
        old: &'a NfcUrl,
    },
    NotificationAcknowledged,
    ResourceCreated,
}

impl Did<'_> {
    const fn name(self) -> &'static str {
        match self {
            Self::ItemAdded => "ItemAdded",
            Self::ItemMerged => "ItemMerged",
            Self::ItemAdjusted { .. } => "ItemAdjusted",
            Self::HouseholdCreated => "HouseholdCreated",
            Self::HouseholdJoined => "HouseholdJoined",
            Self::InviteCodeReplaced => "InviteCodeReplaced",
            Self::LocationAdded => "LocationAdded",
            Self::StoreAdded => "StoreAdded",
            Self::ShoppingItemAdded => "ShoppingItemAdded",
            Self::TagAdded => "TagAdded",
            Self::TagRotated { .. } => "TagRotated",
            Self::NotificationAcknowledged => "NotificationAcknowledged",
            Self::ResourceCreated => "ResourceCreated",
        }
    }
}

/// The record, still without the embedded result.
pub(crate) fn to_record(
    user: UserId,
    claim: &IdempotencyClaim,
    did: Did<'_>,
    at: Timestamp,
) -> Record {
    let key = keys::idempotency(user, &claim.key);
    let applied = match did {
        Did::ItemAdjusted { applied_hundredths } => Some(hundredths_number(applied_hundredths)),
        _ => None,
    };
    let replaced = match did {
        Did::TagRotated { old } => Some(Value::M(tag::to_record(old))),
        _ => None,
    };
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "IdempotencyKey")
        .with("userId", user.to_string())
        .with("requestHash", claim.request_hash.as_str())
        .with("outcome", did.name())
        .with_some("applied", applied)
        .with_some(REPLACED, replaced)
        .with("createdAt", timestamp_text(at))
        .with("ttl", seconds_number(claim.expires_at))
}

pub(crate) fn from_record(record: &Record) -> Result<UsedKey> {
    let fields = Fields(record);
    let Some(Value::M(result)) = record.get(RESULT) else {
        return Err(record.misfit("the result is missing"));
    };
    let outcome = match fields.text("outcome")? {
        "ItemAdded" => WriteOutcome::ItemAdded(item::from_record(result)?),
        "ItemMerged" => WriteOutcome::ItemMerged(item::from_record(result)?),
        "ItemAdjusted" => WriteOutcome::ItemAdjusted {
            item: item::from_record(result)?,
            applied_hundredths: fields.hundredths("applied")?,
        },
        "HouseholdCreated" => WriteOutcome::HouseholdCreated(household::from_record(result)?),
        "HouseholdJoined" => WriteOutcome::HouseholdJoined(household::from_record(result)?),
        "InviteCodeReplaced" => WriteOutcome::InviteCodeReplaced(household::from_record(result)?),
        "LocationAdded" => WriteOutcome::LocationAdded(places::location_from_record(result)?),
        "StoreAdded" => WriteOutcome::StoreAdded(places::store_from_record(result)?),
        "ShoppingItemAdded" => WriteOutcome::ShoppingItemAdded(shopping::from_record(result)?),
        "TagAdded" => WriteOutcome::TagAdded(tag::from_record(result)?),
        "TagRotated" => {
            let Some(Value::M(replaced)) = record.get(REPLACED) else {
                return Err(record.misfit("the replaced tag is missing"));
            };
            let old = Box::new(tag::from_record(replaced)?);
            WriteOutcome::TagRotated { old, new: Box::new(tag::from_record(result)?) }
        }
        "NotificationAcknowledged" => {
            WriteOutcome::NotificationAcknowledged(notification::from_record(result)?)
        }
        "ResourceCreated" => {
            WriteOutcome::ResourceCreated(Box::new(resource::from_record(result)?.resource))
        }
        other => return Err(record.misfit(format!("unknown outcome {other}"))),
    };
    Ok(UsedKey { request_hash: fields.text("requestHash")?.to_owned(), outcome })
}

#[cfg(test)]
mod tests {
    use larder_domain::{
        Attributes, HouseholdId, MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTE_DEPTH, Resource, SchemaVersion,
        UniqueKeys, Urn,
    };
    use larder_storage::IdempotencyKey;

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

    /// What a write that made this resource is remembered by.
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
        let claim = to_record(UserId::fixed(1), &claim, Did::ResourceCreated, at);
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
            assert_eq!(used.outcome, WriteOutcome::ResourceCreated(Box::new(made)));
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
