//! Larder's own unique values, as seed 004's `UniqueKeyValue` records in the relational table.

use std::fmt::Display;

use jiff::Timestamp;
use larder_domain::{
    Email, Gtin, HouseholdId, InviteCode, ItemDetails, ItemId, ItemName, NotificationKind, Owner,
    ProductId, text,
};
use larder_storage::{ExternalIdentity, Result};

use crate::{
    Action, Key, Record, Table,
    layout::{
        keys,
        relational::unique_key::{self, UniqueKeyValue},
    },
};

/// A value that only one of our records may have. Holders are identified by their ids.
pub(crate) struct UniqueKey(UniqueKeyValue);

const USER: &str = "System.User";
const ACCOUNT: &str = "System.Account";
const ITEM: &str = "System.Account.InventoryItem";
const PRODUCT: &str = "System.Account.Product";
const LOCATION: &str = "System.Account.StorageLocation";
const STORE: &str = "System.Account.Store";
const NOTIFICATION: &str = "System.Account.Notification";

pub(crate) fn email(email: &Email) -> UniqueKey {
    UniqueKey::new(USER, "emailAddress", email.folded())
}

/// Marks that an account exists: held by the first user.
pub(crate) fn first_account() -> UniqueKey {
    UniqueKey::new(USER, "firstAccount", "first".to_owned())
}

pub(crate) fn identity(identity: &ExternalIdentity) -> UniqueKey {
    let ExternalIdentity { issuer, subject } = identity;
    // The length distinguishes two pairs that concatenate to the same text.
    let value = format!("{}:{issuer}#{subject}", issuer.len());
    UniqueKey::new(USER, "externalIdentity", value)
}

pub(crate) fn invite_code(code: &InviteCode) -> UniqueKey {
    UniqueKey::new(ACCOUNT, "inviteCode", code.as_str().to_owned())
}

/// The merge rule as a key: owner, date or "-", folded name. Only items from before there were
/// products have one.
pub(crate) fn merge_key(owner: Owner, details: &ItemDetails) -> UniqueKey {
    let key = details.merge_key();
    let date = key.expiration.map_or_else(|| "-".to_owned(), |date| date.to_string());
    UniqueKey::new(ITEM, "mergeKey", format!("{}#{date}#{}", keys::owner_pk(owner), key.name))
}

/// One product per inventory and folded name.
pub(crate) fn product_name(owner: Owner, name: &ItemName) -> UniqueKey {
    let value = format!("{}#{}", keys::owner_pk(owner), text::fold(name.as_str()));
    UniqueKey::new(PRODUCT, "name", value)
}

/// One product per inventory and barcode, however the code is written.
pub(crate) fn barcode(owner: Owner, code: &Gtin) -> UniqueKey {
    UniqueKey::new(PRODUCT, "barcode", format!("{}#{}", keys::owner_pk(owner), code.padded()))
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

/// That a product has an open notification about its stock.
pub(crate) fn open_stock_notification(household: HouseholdId, product: ProductId) -> UniqueKey {
    let value = format!("{}#stock#{product}", keys::family_pk(household));
    UniqueKey::new(NOTIFICATION, "open", value)
}

impl UniqueKey {
    fn new(resource_type: &'static str, key: &'static str, value: String) -> Self {
        Self(UniqueKeyValue::new(resource_type, key, value))
    }

    pub(crate) fn key(&self) -> Key {
        self.0.key()
    }

    fn urn(&self, holder: impl Display) -> String {
        format!("urn:pp:{}::{holder}", self.0.resource_type())
    }

    /// Claims the value for its holder.
    pub(crate) fn take(&self, holder: impl Display, at: Timestamp) -> Action {
        self.0.take(&self.urn(holder), at)
    }

    /// Passes the value on to another holder, if it is this one's.
    pub(crate) fn pass(&self, from: impl Display, to: impl Display, at: Timestamp) -> Action {
        self.0.pass(&self.urn(from), &self.urn(to), at)
    }

    /// Releases the value, if it is this holder's.
    pub(crate) fn release(&self, holder: impl Display) -> Action {
        self.0.release(&self.urn(holder))
    }

    /// Deletes the value, whoever holds it.
    pub(crate) fn forget(&self) -> Action {
        Action::Delete { table: Table::Relational, key: self.key(), when: vec![] }
    }
}

/// The id of a value's holder.
pub(crate) fn holder<T: std::str::FromStr<Err: Display>>(record: &Record) -> Result<T> {
    let urn = unique_key::holder(record)?;
    let id = urn.id().to_string();
    id.parse().map_err(|error| record.misfit(format!("the id of its holder {error}")))
}
