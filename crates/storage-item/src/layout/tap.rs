//! `TapNonce` records: the result of a tap at that time, embedded by the same transaction.

use larder_domain::{HouseholdId, Item};
use larder_storage::{NewTap, Result};

use crate::{
    Key, Record, Value,
    layout::{
        fields::{Fields, hundredths_number, seconds_number, timestamp_text},
        item, keys,
    },
};

const ENTITY: &str = "TapNonce";

/// The attribute of the item after the tap.
pub(crate) const RESULT: &str = "result";

/// The record, still without the embedded item.
pub(crate) fn to_record(
    household: HouseholdId,
    tap: &NewTap<'_>,
    applied_hundredths: i64,
) -> Record {
    let Key { pk, sk } = keys::nonce(household, tap.url, tap.nonce);
    Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("entityType", ENTITY)
        .with("applied", hundredths_number(applied_hundredths))
        .with("createdAt", timestamp_text(tap.at))
        .with("ttl", seconds_number(tap.remember_until))
}

/// The item after the tap, and the applied delta in hundredths.
pub(crate) fn from_record(record: &Record) -> Result<(Item, i64)> {
    let Some(Value::M(result)) = record.get(RESULT) else {
        return Err(record.misfit("the result is missing"));
    };
    Ok((item::from_record(result)?, Fields(record).hundredths("applied")?))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::{TapDirection, TapNonce, UrlId};

    use super::*;

    #[test]
    fn what_is_said_of_a_damaged_nonce_tells_neither_it_nor_the_tag() {
        let (url, nonce) = (UrlId::from_random([7; 16]), TapNonce::parse("abcdefgh").unwrap());
        let tap = NewTap {
            url,
            direction: TapDirection::Take,
            nonce: &nonce,
            remember_until: Timestamp::UNIX_EPOCH,
            at: Timestamp::UNIX_EPOCH,
        };
        let error =
            from_record(&to_record(HouseholdId::fixed(1), &tap, -100)).unwrap_err().to_string();
        assert!(error.contains("NONCE#"), "{error}");
        assert!(!error.contains(&url.reveal()) && !error.contains("abcdefgh"), "{error}");
    }
}
