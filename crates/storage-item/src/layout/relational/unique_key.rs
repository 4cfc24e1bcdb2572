//! `UniqueKeyValue` records: values that only one record of a type may have, in any account.
//! Written in the same transaction as their holder. Used for resources, and for Larder's own unique
//! values.

use std::{borrow::Cow, fmt::Write};

use jiff::Timestamp;
use larder_domain::{PropertyName, ResourceType, UniqueKey, Urn};
use larder_storage::Result;
use sha2::{Digest, Sha256};

use super::{CREATED_AT, UPDATED_AT, record_of_type};
use crate::{
    Action, Change, Condition, Key, Record, Table,
    layout::fields::{Fields, timestamp_text},
};

const TYPE: &str = "UniqueKeyValue";
const HOLDER: &str = "associatedRecordUrn";
/// The prefix of keys of all unique values.
const PREFIX: &str = "UniqueKeyValue#";

/// DynamoDB's sort keys have at most 1,024 bytes, and the inverted index sorts by the partition
/// key: in a longer one, the value is replaced by its digest.
const MAX_KEY_BYTES: usize = 1024;

/// A value that only one record may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UniqueKeyValue {
    resource_type: Cow<'static, str>,
    key: Cow<'static, str>,
    value: String,
}

impl UniqueKeyValue {
    /// A value of a property, as it is compared.
    pub(crate) fn new(
        resource_type: impl Into<Cow<'static, str>>,
        key: impl Into<Cow<'static, str>>,
        value: String,
    ) -> Self {
        let mut unique = Self { resource_type: resource_type.into(), key: key.into(), value };
        if unique.key().pk.len() > MAX_KEY_BYTES {
            unique.value = digest(&unique.value);
        }
        unique
    }

    /// A unique key of a resource.
    pub(crate) fn of_resource(resource_type: &ResourceType, key: &UniqueKey) -> Self {
        Self::compared(resource_type, &key.property, key.compared())
    }

    /// The value of a property of a resource, as it is compared.
    pub(crate) fn compared(
        resource_type: &ResourceType,
        property: &PropertyName,
        value: String,
    ) -> Self {
        Self::new(resource_type.as_str().to_owned(), property.as_str().to_owned(), value)
    }

    /// The type of the records among which it is unique.
    pub(crate) fn resource_type(&self) -> &str {
        &self.resource_type
    }

    pub(crate) fn key(&self) -> Key {
        let sk = format!("{PREFIX}{}#{}", self.resource_type, self.key);
        Key::new(format!("{sk}#{}", self.value), sk)
    }

    /// Claims the value for its holder.
    pub(crate) fn take(&self, holder: &str, at: Timestamp) -> Action {
        let record = record_of_type(TYPE, &self.key())
            .with("_resourceType", self.resource_type.as_ref())
            .with("key", self.key.as_ref())
            .with("value", self.value.as_str())
            .with(HOLDER, holder)
            .with(CREATED_AT, timestamp_text(at))
            .with(UPDATED_AT, timestamp_text(at));
        let when = vec![Condition::NotExists];
        Action::Put { table: Table::Relational, record, when, embed: None }
    }

    /// Passes the value on to another holder, if it is this one's.
    pub(crate) fn pass(&self, from: &str, to: &str, at: Timestamp) -> Action {
        let changes = vec![
            Change::Set(HOLDER.into(), to.into()),
            Change::Set(UPDATED_AT.into(), timestamp_text(at).into()),
        ];
        Action::Update { table: Table::Relational, key: self.key(), when: held_by(from), changes }
    }

    /// Releases the value, if it is this holder's.
    pub(crate) fn release(&self, holder: &str) -> Action {
        Action::Delete { table: Table::Relational, key: self.key(), when: held_by(holder) }
    }
}

fn held_by(holder: &str) -> Vec<Condition> {
    vec![Condition::Equals(HOLDER.into(), holder.into())]
}

fn digest(value: &str) -> String {
    let mut digest = "sha256:".to_owned();
    for byte in Sha256::digest(value.as_bytes()) {
        write!(digest, "{byte:02x}").expect("a String takes any text");
    }
    digest
}

/// The holder of a value.
pub(crate) fn holder(record: &Record) -> Result<Urn> {
    let fields = Fields(record);
    let key = |name: &str| Ok(fields.text(name)?.to_owned());
    let (resource_type, property, value) = (key("_resourceType")?, key("key")?, key("value")?);
    let unique =
        UniqueKeyValue { resource_type: resource_type.into(), key: property.into(), value };
    super::check(record, TYPE, &unique.key())?;
    let holder: Urn = fields.id(HOLDER)?;
    if holder.resource_type().as_str() != unique.resource_type {
        return Err(record.misfit(format!("{HOLDER} is of another type")));
    }
    Ok(holder)
}

#[cfg(test)]
mod tests {
    use larder_domain::UniqueValue;

    use super::*;
    use crate::Value;

    const HOLDER_URN: &str = "urn:pp:System.User::01955556-3cd2-7df2-b839-693fa6fbd505";

    fn email(value: &str) -> UniqueKeyValue {
        let key = UniqueKey {
            property: PropertyName::parse("emailAddress").unwrap(),
            value: UniqueValue::parse(value).unwrap(),
            case_insensitive: true,
        };
        UniqueKeyValue::of_resource(&ResourceType::parse("System.User").unwrap(), &key)
    }

    fn taken() -> Record {
        let at = "2026-01-01T00:00:00Z".parse().unwrap();
        match email("Someone@Somewhere.com").take(HOLDER_URN, at) {
            Action::Put { table: Table::Relational, record, when, embed: None } => {
                assert_eq!(when, [Condition::NotExists]);
                record
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_value_has_the_attributes_of_the_specification() {
        let expected = [
            ("PK", "UniqueKeyValue#System.User#emailAddress#someone@somewhere.com"),
            ("SK", "UniqueKeyValue#System.User#emailAddress"),
            ("_createdAt", "2026-01-01T00:00:00.000Z"),
            ("_recordType", "UniqueKeyValue"),
            ("_resourceType", "System.User"),
            ("_updatedAt", "2026-01-01T00:00:00.000Z"),
            ("associatedRecordUrn", HOLDER_URN),
            ("key", "emailAddress"),
            ("value", "someone@somewhere.com"),
        ];
        let record = taken();
        let found: Vec<_> = record.iter().map(|(name, value)| (name, value.clone())).collect();
        assert_eq!(found, expected.map(|(name, text)| (name, Value::from(text))));
        assert_eq!(holder(&record).unwrap().as_str(), HOLDER_URN);
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        for (name, value) in [
            ("_recordType", "Resource"),
            ("_resourceType", "System.Account"),
            ("key", "inviteCode"),
            ("value", "other@somewhere.com"),
            ("associatedRecordUrn", "urn:pp:System.User::123-abc-890-xyz"),
            ("associatedRecordUrn", "urn:pp:Box::01955556-3cd2-7df2-b839-693fa6fbd505"),
        ] {
            assert!(holder(&taken().with(name, value)).is_err(), "{name}");
            let mut without = taken();
            without.remove(name);
            assert!(holder(&without).is_err(), "without {name}");
        }
    }

    #[test]
    fn every_key_of_a_resource_fits_into_an_index_as_it_is() {
        let resource_type = ResourceType::parse(&"T".repeat(200)).unwrap();
        let property = PropertyName::parse(&"p".repeat(64)).unwrap();
        let value = "v".repeat(larder_domain::MAX_UNIQUE_VALUE_BYTES);
        let key = UniqueKeyValue::compared(&resource_type, &property, value.clone()).key();
        assert!(key.pk.ends_with(&value) && key.pk.len() <= MAX_KEY_BYTES);
    }

    #[test]
    fn a_key_that_is_too_long_for_an_index_holds_the_digest_of_its_value() {
        let fixed = "UniqueKeyValue#System.User#emailAddress#".len();
        let value = |bytes: usize| "x".repeat(bytes);
        let key = |bytes| UniqueKeyValue::new("System.User", "emailAddress", value(bytes)).key();
        assert_eq!(key(MAX_KEY_BYTES - fixed).pk.len(), MAX_KEY_BYTES);
        let (one, other) = (key(MAX_KEY_BYTES - fixed + 1), key(MAX_KEY_BYTES - fixed + 2));
        assert_eq!(one.pk.len(), fixed + "sha256:".len() + 64);
        assert_ne!(one, other);
    }
}
