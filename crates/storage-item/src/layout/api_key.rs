//! Records of `api_keys`: seed 002, to the letter, plus the owner. The hash stays out of logs and
//! errors.

use jiff::Timestamp;
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, KeyDescription};
use larder_storage::Result;

use crate::{
    API_KEY_HASH, Change, Condition, Key, Query, Record, SortKeys, Table,
    layout::{
        fields::{Fields, second_text},
        fleet::FAMILY_ID,
    },
};

/// The partition of all keys in the index.
pub(crate) const ALL: &str = "api_keys";
/// The attribute of the hash.
pub(crate) const HASH: &str = "api_key_hash";

const LAST_USED_AT: &str = "last_used_at";
const IS_ACTIVE: &str = "is_active";

pub(crate) fn to_record(key: &ApiKey) -> Record {
    Record::new()
        .with("key_id", key.id.to_string())
        .with(HASH, key.hash.to_string())
        .with("created_at", second_text(key.created_at))
        .with_some(LAST_USED_AT, key.last_used_at.map(second_text))
        .with(IS_ACTIVE, key.is_active)
        .with_some("description", key.description.as_ref().map(KeyDescription::as_str))
        .with_some(FAMILY_ID, key.household.map(|household| household.to_string()))
        .with("gsi1pk", ALL)
        .with("gsi1sk", second_text(key.created_at))
}

pub(crate) fn from_record(record: &Record) -> Result<ApiKey> {
    let fields = Fields(record);
    Ok(ApiKey {
        id: fields.id("key_id")?,
        household: fields.optional_id(FAMILY_ID)?,
        hash: fields.parse(HASH, ApiKeyHash::parse)?,
        created_at: fields.time("created_at")?,
        last_used_at: fields.parse_optional(LAST_USED_AT, str::parse)?,
        is_active: fields.flag(IS_ACTIVE),
        description: fields.parse_optional("description", KeyDescription::parse_stored)?,
    })
}

pub(crate) fn key(id: ApiKeyId) -> Key {
    Key::new(id.to_string(), "")
}

/// The look-up of a key by its hash.
pub(crate) fn with_hash(hash: &ApiKeyHash) -> Query {
    Query::new(Table::ApiKeys, hash.to_string(), SortKeys::Any, 1).by(API_KEY_HASH)
}

/// The changes that revoke a key.
pub(crate) fn revoked() -> Vec<Change> {
    vec![Change::Set(IS_ACTIVE.into(), false.into())]
}

/// The changes that record a use of the key.
pub(crate) fn used(at: Timestamp) -> Vec<Change> {
    vec![Change::Set(LAST_USED_AT.into(), second_text(at).into())]
}

/// That no use was noted since.
pub(crate) fn was_last_used(at: Option<Timestamp>) -> Condition {
    match at {
        Some(at) => Condition::Equals(LAST_USED_AT.into(), second_text(at).into()),
        None => Condition::Absent(LAST_USED_AT.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    /// The seed's own id, as a UUID of the version that the seed requires.
    const KEY: &str = "a1b2c3d4-e5f6-4890-abcd-ef1234567890";
    const DIGITS: &str = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";

    fn production() -> ApiKey {
        ApiKey {
            id: KEY.parse().unwrap(),
            household: None,
            hash: ApiKeyHash::parse(DIGITS).unwrap(),
            created_at: "2024-01-10T08:00:00Z".parse().unwrap(),
            last_used_at: Some("2024-01-15T14:22:00Z".parse().unwrap()),
            is_active: true,
            description: KeyDescription::parse("Production devices - greenhouse cluster").ok(),
        }
    }

    /// Seed 002's example record.
    fn example() -> Record {
        Record::new()
            .with("key_id", KEY)
            .with("api_key_hash", DIGITS)
            .with("created_at", "2024-01-10T08:00:00Z")
            .with("last_used_at", "2024-01-15T14:22:00Z")
            .with("is_active", true)
            .with("description", "Production devices - greenhouse cluster")
            .with("gsi1pk", "api_keys")
            .with("gsi1sk", "2024-01-10T08:00:00Z")
    }

    #[test]
    fn a_key_is_seed_002s_example_field_for_field() {
        assert_eq!(to_record(&production()), example());
        assert_eq!(from_record(&example()).unwrap(), production());
    }

    #[test]
    fn what_is_not_known_of_a_new_key_is_absent_and_a_household_is_named() {
        let household = Some(FAMILY.parse().unwrap());
        let new = ApiKey { household, last_used_at: None, description: None, ..production() };
        let mut expected = example().with("family_id", FAMILY);
        expected.remove("last_used_at");
        expected.remove("description");
        assert_eq!(to_record(&new), expected);
        assert_eq!(from_record(&expected).unwrap(), new);
    }

    #[test]
    fn use_and_revocation_change_nothing_else() {
        let mut record = example();
        let at: Timestamp = "2024-01-15T14:27:00.5Z".parse().unwrap();
        let changes = used(at).into_iter().chain(revoked());
        changes.into_iter().try_for_each(|change| change.apply(&mut record)).unwrap();
        let last_used_at = "2024-01-15T14:27:00Z".parse().ok();
        assert_eq!(
            from_record(&record).unwrap(),
            ApiKey { last_used_at, is_active: false, ..production() }
        );
    }

    #[test]
    fn what_is_said_of_a_damaged_key_does_not_tell_its_hash() {
        let damaged = example().with("api_key_hash", DIGITS.to_uppercase());
        let error = from_record(&damaged).unwrap_err().to_string();
        assert!(error.contains(KEY) && error.contains("api_key_hash must have 64"), "{error}");
        assert!(!error.to_lowercase().contains(DIGITS), "{error}");
    }
}
