//! `IdempotencyKey` records: what a write did, as it was at that time, embedded by the same transaction.

use jiff::Timestamp;
use larder_domain::UserId;
use larder_storage::{IdempotencyClaim, Result, UsedKey, WriteOutcome};

use crate::{
    Record, Value,
    layout::{
        fields::{Fields, hundredths_number, seconds_number, timestamp_text},
        household, item, keys, places,
    },
};

/// The attribute that holds the record which the write left behind.
pub(crate) const RESULT: &str = "result";

/// What kind of write used the key, and so what the embedded record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Did {
    ItemAdded,
    ItemMerged,
    ItemAdjusted { applied_hundredths: i64 },
    HouseholdCreated,
    HouseholdJoined,
    InviteCodeReplaced,
    LocationAdded,
    StoreAdded,
}

impl Did {
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
        }
    }
}

/// The record, still without the embedded result.
pub(crate) fn to_record(user: UserId, claim: &IdempotencyClaim, did: Did, at: Timestamp) -> Record {
    let key = keys::idempotency(user, &claim.key);
    let applied = match did {
        Did::ItemAdjusted { applied_hundredths } => Some(hundredths_number(applied_hundredths)),
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
        other => return Err(record.misfit(format!("unknown outcome {other}"))),
    };
    Ok(UsedKey { request_hash: fields.text("requestHash")?.to_owned(), outcome })
}
