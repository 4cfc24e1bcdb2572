//! `Resource` records. User-defined attributes are at the top level beside those of the
//! specification and of Larder; their names cannot collide.
//!
//! A resource counts its children and other links, so that its deletion can ensure, in the
//! transaction, that no reference is left; it names its photo for the same reason. These are not part
//! of the resource: they change without its version.

use std::collections::BTreeMap;

use larder_domain::{
    AttributeValue, Attributes, PhotoId, PropertyName, Resource, SchemaVersion, UniqueKey,
    UniqueKeys, UniqueValue, Urn,
};
use larder_storage::Result;

use super::{ACCOUNT, CREATED_AT, RECORD_TYPE, UPDATED_AT, attribute, check, common, keys};
use crate::{
    Action, Change, Condition, Name, Number, Record, Table, Value,
    layout::fields::{Fields, count_number, timestamp_text},
};

pub(crate) const TYPE: &str = "Resource";
const RESOURCE_TYPE: &str = "_resourceType";
const ID: &str = "_id";
const URN: &str = "urn";
const SCHEMA_VERSION: &str = "_schemaVersion";
const UNIQUE_KEYS: &str = "_uniqueKeys";
/// How often it was changed, plus one.
pub(crate) const VERSION: &str = "_version";
/// The parent.
pub(crate) const PARENT: &str = "_parentUrn";
/// How many resources name it as their parent.
pub(crate) const CHILD_COUNT: &str = "_childCount";
/// How many memberships, on either side, and grants name it.
pub(crate) const LINK_COUNT: &str = "_linkCount";
/// The photo, which is a record beside it.
pub(crate) const PHOTO: &str = "_photoId";

/// The names that are not user-defined attributes.
const OWN_NAMES: [&str; 16] = [
    "PK",
    "SK",
    ACCOUNT,
    CHILD_COUNT,
    CREATED_AT,
    ID,
    LINK_COUNT,
    PARENT,
    PHOTO,
    RECORD_TYPE,
    RESOURCE_TYPE,
    SCHEMA_VERSION,
    UNIQUE_KEYS,
    UPDATED_AT,
    VERSION,
    URN,
];

/// DynamoDB's expressions are limited to 4 KB: a replacement with more changed attributes writes
/// the whole record.
const MAX_CHANGES: usize = 100;

/// A resource, the counts of its links, and its photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) resource: Resource,
    pub(crate) child_count: u64,
    pub(crate) link_count: u64,
    pub(crate) photo: Option<PhotoId>,
}

impl Counted {
    /// A new resource, without links or a photo.
    pub(crate) const fn new(resource: Resource) -> Self {
        Self { resource, child_count: 0, link_count: 0, photo: None }
    }
}

pub(crate) fn to_record(counted: &Counted) -> Record {
    let resource = &counted.resource;
    let urn = &resource.urn;
    let record = super::record_of_type(TYPE, &keys::resource(urn))
        .with(RESOURCE_TYPE, urn.resource_type().as_str())
        .with(ID, urn.id().to_string())
        .with(URN, urn.as_str())
        .with(SCHEMA_VERSION, schema_number(resource.schema_version))
        .with(CREATED_AT, timestamp_text(resource.created_at))
        .with(UPDATED_AT, timestamp_text(resource.updated_at))
        .with(ACCOUNT, resource.account.as_str())
        .with(VERSION, count_number(resource.version))
        .with_some(PARENT, resource.parent.as_ref().map(Urn::as_str))
        .with_some(PHOTO, counted.photo.map(|photo| photo.to_string()))
        .with_some(UNIQUE_KEYS, unique_keys_value(&resource.unique_keys))
        .with(CHILD_COUNT, count_number(counted.child_count))
        .with(LINK_COUNT, count_number(counted.link_count));
    resource
        .attributes
        .iter()
        .fold(record, |record, (name, value)| record.with(name.clone(), attribute::to_value(value)))
}

pub(crate) fn from_record(record: &Record) -> Result<Counted> {
    let fields = Fields(record);
    let urn: Urn = fields.id(URN)?;
    check(record, TYPE, &keys::resource(&urn))?;
    if fields.text(RESOURCE_TYPE)? != urn.resource_type().as_str()
        || fields.text(ID)? != urn.id().to_string()
    {
        return Err(record.misfit(format!("{RESOURCE_TYPE} or {ID} is not that of its URN")));
    }
    let common = common(record)?;
    let schema_version = u32::try_from(fields.count(SCHEMA_VERSION)?).ok();
    let schema_version = schema_version
        .and_then(SchemaVersion::new)
        .ok_or_else(|| record.misfit(format!("{SCHEMA_VERSION} is none")))?;
    let resource = Resource {
        account: common.account,
        parent: fields.optional_id(PARENT)?,
        schema_version,
        version: fields.count(VERSION)?,
        unique_keys: unique_keys(record)?,
        attributes: attributes(record)?,
        created_at: common.created_at,
        updated_at: fields.time(UPDATED_AT)?,
        urn,
    };
    let (child_count, link_count) = (fields.count(CHILD_COUNT)?, fields.count(LINK_COUNT)?);
    Ok(Counted { resource, child_count, link_count, photo: fields.optional_id(PHOTO)? })
}

/// That the resource exists and is of this account.
pub(crate) fn is_of(account: &Urn) -> Condition {
    Condition::Equals(ACCOUNT.into(), account.as_str().into())
}

/// A condition on the resource's parent.
pub(crate) fn has_parent(parent: Option<&Urn>) -> Condition {
    match parent {
        Some(parent) => Condition::Equals(PARENT.into(), parent.as_str().into()),
        None => Condition::Absent(PARENT.into()),
    }
}

/// A condition on the resource's photo.
pub(crate) fn has_photo(photo: Option<PhotoId>) -> Condition {
    match photo {
        Some(photo) => Condition::Equals(PHOTO.into(), photo.to_string().into()),
        None => Condition::Absent(PHOTO.into()),
    }
}

/// Adds to the number of children of a resource of this account.
pub(crate) fn count_children(urn: &Urn, account: &Urn, by: i64) -> Action {
    count(urn, account, CHILD_COUNT, by)
}

/// Adds to the number of memberships and grants of a resource of this account.
pub(crate) fn count_links(urn: &Urn, account: &Urn, by: i64) -> Action {
    count(urn, account, LINK_COUNT, by)
}

fn count(urn: &Urn, account: &Urn, what: &'static str, by: i64) -> Action {
    let changes = vec![Change::Add(what.into(), Number::from(by))];
    update(urn, vec![is_of(account)], changes)
}

/// Changes attributes of a resource.
pub(crate) fn update(urn: &Urn, when: Vec<Condition>, changes: Vec<Change>) -> Action {
    Action::Update { table: Table::Relational, key: keys::resource(urn), when, changes }
}

/// Replaces a resource, whatever is linked to it meanwhile, if it still has the version and schema
/// version that were read.
pub(crate) fn replace(current: &Counted, new: &Resource) -> Action {
    let old = &current.resource;
    let mut when = vec![
        is_of(&new.account),
        Condition::Equals(VERSION.into(), count_number(old.version).into()),
        Condition::Equals(SCHEMA_VERSION.into(), schema_number(old.schema_version).into()),
    ];
    let new = to_record(&Counted { resource: new.clone(), ..*current });
    let changes = differences(&to_record(current), &new);
    if changes.len() <= MAX_CHANGES {
        return update(&old.urn, when, changes);
    }
    for name in [CHILD_COUNT, LINK_COUNT] {
        when.extend(new.get(name).map(|count| Condition::Equals(name.into(), count.clone())));
    }
    when.push(has_photo(current.photo));
    Action::Put { table: Table::Relational, record: new, when, embed: None }
}

fn schema_number(version: SchemaVersion) -> Number {
    Number::from(i64::from(version.number()))
}

/// The changes from one record to the other.
fn differences(old: &Record, new: &Record) -> Vec<Change> {
    let owned = |name: &str| Name::Owned(name.to_owned());
    let gone = old.iter().filter(|(name, _)| new.get(name).is_none());
    let gone = gone.map(|(name, _)| Change::Remove(owned(name)));
    let changed = new.iter().filter(|(name, value)| old.get(name) != Some(*value));
    let changed = changed.map(|(name, value)| Change::Set(owned(name), value.clone()));
    gone.chain(changed).collect()
}

fn attributes(record: &Record) -> Result<Attributes> {
    let others = record.iter().filter(|(name, _)| !OWN_NAMES.contains(name));
    let mut values: BTreeMap<String, AttributeValue> = BTreeMap::new();
    for (name, value) in others {
        let value = attribute::from_value(value);
        let value = value.ok_or_else(|| record.misfit(format!("{name} has a binary value")))?;
        values.insert(name.to_owned(), value);
    }
    Attributes::new(values).map_err(|error| record.misfit(format!("attributes: {error}")))
}

fn unique_keys_value(keys: &UniqueKeys) -> Option<Value> {
    let map = |key: &UniqueKey| {
        Record::new()
            .with("key", key.property.as_str())
            .with("value", key.value.as_str())
            .with("caseInsensitive", key.case_insensitive)
    };
    (!keys.is_empty()).then(|| Value::L(keys.iter().map(|key| Value::M(map(key))).collect()))
}

fn unique_keys(record: &Record) -> Result<UniqueKeys> {
    let misfit = |error: &dyn std::fmt::Display| record.misfit(format!("{UNIQUE_KEYS}: {error}"));
    let values = match record.get(UNIQUE_KEYS) {
        None => return Ok(UniqueKeys::default()),
        Some(Value::L(values)) => values,
        Some(_) => return Err(misfit(&"no list")),
    };
    let keys = values.iter().map(|value| {
        let Value::M(map) = value else { return Err(misfit(&"an entry is no map")) };
        let text = |name: &str| map.text(name).ok_or_else(|| misfit(&"an entry lacks a text"));
        let Some(Value::Bool(case_insensitive)) = map.get("caseInsensitive") else {
            return Err(misfit(&"an entry does not say whether case matters"));
        };
        Ok(UniqueKey {
            property: PropertyName::parse(text("key")?).map_err(|error| misfit(&error))?,
            value: UniqueValue::parse(text("value")?).map_err(|error| misfit(&error))?,
            case_insensitive: *case_insensitive,
        })
    });
    UniqueKeys::new(keys.collect::<Result<_>>()?).map_err(|error| misfit(&error))
}

#[cfg(test)]
#[path = "resource_tests.rs"]
mod tests;
