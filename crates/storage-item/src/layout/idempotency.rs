//! `IdempotencyKey` records: what a write did, as it was at that time, embedded by the same transaction.

use jiff::Timestamp;
use larder_domain::{NfcUrl, UserId};
use larder_storage::{IdempotencyClaim, Result, UsedKey, WriteOutcome};

use crate::{
    Record, Value,
    layout::{
        fields::{Fields, hundredths_number, seconds_number, timestamp_text},
        household, item, keys, notification, places, shopping, tag,
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
        other => return Err(record.misfit(format!("unknown outcome {other}"))),
    };
    Ok(UsedKey { request_hash: fields.text("requestHash")?.to_owned(), outcome })
}
