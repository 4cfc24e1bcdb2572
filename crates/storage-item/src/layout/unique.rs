//! What must be unique, as seed 004's `UniqueKeyValue` records in the relational table. Written in the same
//! transaction as what they are unique for.

use std::fmt::{Display, Write};

use jiff::Timestamp;
use larder_domain::{
    Email, HouseholdId, InviteCode, Item, ItemDetails, ItemId, NotificationKind, Owner, text,
};
use larder_storage::{ExternalIdentity, Result};
use sha2::{Digest, Sha256};

use crate::{
    Action, Condition, Key, Record, Table,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

/// DynamoDB's partition keys have at most 2,048 bytes; longer values are replaced by their digest.
const MAX_VALUE_BYTES: usize = 1024;

/// What the sort keys of all unique values begin with.
pub(crate) const SORT_KEY_PREFIX: &str = "UniqueKeyValue#";

/// A value that only one record may have.
pub(crate) struct UniqueKey {
    resource_type: &'static str,
    key: &'static str,
    value: String,
}

const USER: &str = "System.User";
const ACCOUNT: &str = "System.Account";
const ITEM: &str = "System.Account.InventoryItem";
const LOCATION: &str = "System.Account.StorageLocation";
const STORE: &str = "System.Account.Store";
const NOTIFICATION: &str = "System.Account.Notification";

pub(crate) fn email(email: &Email) -> UniqueKey {
    UniqueKey::new(USER, "emailAddress", email.folded())
}

pub(crate) fn identity(identity: &ExternalIdentity) -> UniqueKey {
    let ExternalIdentity { issuer, subject } = identity;
    // The length keeps two pairs apart whose texts join to the same.
    let value = format!("{}:{issuer}#{subject}", issuer.len());
    UniqueKey::new(USER, "externalIdentity", value)
}

pub(crate) fn invite_code(code: &InviteCode) -> UniqueKey {
    UniqueKey::new(ACCOUNT, "inviteCode", code.as_str().to_owned())
}

/// The merge rule as a key: owner, date or "-", folded name.
pub(crate) fn merge_key(owner: Owner, details: &ItemDetails) -> UniqueKey {
    let key = details.merge_key();
    let date = key.expiration.map_or_else(|| "-".to_owned(), |date| date.to_string());
    UniqueKey::new(ITEM, "mergeKey", format!("{}#{date}#{}", keys::owner_pk(owner), key.name))
}

pub(crate) fn location_name(household: HouseholdId, name: &str) -> UniqueKey {
    UniqueKey::new(LOCATION, "name", format!("{}#{}", keys::family_pk(household), text::fold(name)))
}

pub(crate) fn store_name(household: HouseholdId, name: &str) -> UniqueKey {
    UniqueKey::new(STORE, "name", format!("{}#{}", keys::family_pk(household), text::fold(name)))
}

/// That an item has an open notification of a kind: at most one notification has it.
pub(crate) fn open_notification(
    household: HouseholdId,
    item: ItemId,
    kind: NotificationKind,
) -> UniqueKey {
    let value = format!("{}#{}#{item}", keys::family_pk(household), kind.as_str());
    UniqueKey::new(NOTIFICATION, "open", value)
}

impl UniqueKey {
    fn new(resource_type: &'static str, key: &'static str, value: String) -> Self {
        let value = if value.len() <= MAX_VALUE_BYTES {
            value
        } else {
            let mut digest = "sha256:".to_owned();
            for byte in Sha256::digest(value.as_bytes()) {
                write!(digest, "{byte:02x}").expect("a String takes any text");
            }
            digest
        };
        Self { resource_type, key, value }
    }

    pub(crate) fn key(&self) -> Key {
        let sk = format!("{SORT_KEY_PREFIX}{}#{}", self.resource_type, self.key);
        Key::new(format!("{sk}#{}", self.value), sk)
    }

    fn urn(&self, holder: impl Display) -> String {
        format!("urn:pp:{}::{holder}", self.resource_type)
    }

    /// Takes the value for its holder.
    pub(crate) fn take(&self, holder: impl Display, at: Timestamp) -> Action {
        let Key { pk, sk } = self.key();
        let record = Record::new()
            .with("PK", pk)
            .with("SK", sk)
            .with("_recordType", "UniqueKeyValue")
            .with("_resourceType", self.resource_type)
            .with("key", self.key)
            .with("value", self.value.as_str())
            .with("associatedRecordUrn", self.urn(holder))
            .with("_createdAt", timestamp_text(at))
            .with("_updatedAt", timestamp_text(at));
        let when = vec![Condition::NotExists];
        Action::Put { table: Table::Relational, record, when, embed: None }
    }

    /// Gives the value back, if it is this holder's.
    pub(crate) fn release(&self, holder: impl Display) -> Action {
        Action::Delete { table: Table::Relational, key: self.key(), when: self.held_by(holder) }
    }

    /// Lets a transaction depend on the value being this holder's.
    pub(crate) fn check(&self, holder: impl Display) -> Action {
        Action::Check { table: Table::Relational, key: self.key(), when: self.held_by(holder) }
    }

    fn held_by(&self, holder: impl Display) -> Vec<Condition> {
        vec![Condition::Equals("associatedRecordUrn".into(), self.urn(holder).into())]
    }
}

/// The id of whoever holds a value.
pub(crate) fn holder<T: std::str::FromStr<Err: Display>>(record: &Record) -> Result<T> {
    Fields(record).parse("associatedRecordUrn", |urn| {
        let (_, id) = urn.rsplit_once("::").ok_or_else(|| "is no URN".to_owned())?;
        id.parse::<T>().map_err(|error| error.to_string())
    })
}

/// The unique key that an item holds.
pub(crate) fn of_item(item: &Item) -> (UniqueKey, ItemId) {
    (merge_key(item.owner, &item.details), item.id)
}
