//! The records of seed 004, to the letter, plus Larder's own attributes of a resource.

pub(crate) mod attribute;
pub(crate) mod collection_member;
pub(crate) mod grant;
pub(crate) mod keys;
pub(crate) mod parent_child;
pub(crate) mod resource;
pub(crate) mod tree;
pub(crate) mod unique_key;

use jiff::Timestamp;
use larder_domain::Urn;
use larder_storage::Result;

use crate::{Key, Record, Table, layout::fields::Fields};

/// The attribute of the record type.
pub(crate) const RECORD_TYPE: &str = "_recordType";
/// The attribute of the account.
pub(crate) const ACCOUNT: &str = "_accountUrn";
/// The attribute of the creation time.
pub(crate) const CREATED_AT: &str = "_createdAt";
/// The attribute of the last change.
pub(crate) const UPDATED_AT: &str = "_updatedAt";

/// A record of this type with its key.
fn record_of_type(record_type: &'static str, key: &Key) -> Record {
    Table::Relational.record_with(key).with(RECORD_TYPE, record_type)
}

/// Common to all records of an account.
struct Common {
    account: Urn,
    created_at: Timestamp,
}

/// Rejects a record of another type, or whose content belongs under another key.
fn check(record: &Record, record_type: &str, key: &Key) -> Result<()> {
    let found = Fields(record).text(RECORD_TYPE)?;
    if found != record_type {
        return Err(record.misfit(format!("{RECORD_TYPE} is {found}, not {record_type}")));
    }
    if Table::Relational.key_of(record).as_ref() != Some(key) {
        return Err(record.misfit(format!("its content belongs under {key:?}")));
    }
    Ok(())
}

fn common(record: &Record) -> Result<Common> {
    let fields = Fields(record);
    Ok(Common { account: fields.id(ACCOUNT)?, created_at: fields.time(CREATED_AT)? })
}
