//! `Photo` records, with both sizes, and a `PhotoCount` record per inventory. Neither is journaled.
//!
//! A photo knows how many products name it. One that none names has a time at which it expires; how
//! many expire when is in the count, so that it stays exact although the engine deletes them without
//! a word.
//!
//! A `ResourcePhoto` record is the photo of a resource, whose record names it. It is in the inventory
//! table, because the relational one is read as a whole and has an index over everything in it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use larder_domain::{Owner, PhotoId, Urn};
use larder_storage::{Photo, PhotoSize, Result};

use crate::{
    Action, Change, Condition, Number, Record, Table, Value,
    layout::{
        fields::{Fields, count_number, seconds_number, timestamp_text},
        keys,
        product::owned,
    },
};

const ENTITY: &str = "Photo";
const COUNT_ENTITY: &str = "PhotoCount";
const RESOURCE_ENTITY: &str = "ResourcePhoto";
const PHOTO_ID: &str = "photoId";
const ACCOUNT: &str = "accountUrn";
const USES: &str = "uses";
const TTL: &str = "ttl";
const REVISION: &str = "revision";
/// The prefix of attributes that count the photos which expire at a second each.
const EXPIRES_PREFIX: &str = "EXPIRES#";

const fn attribute(size: PhotoSize) -> &'static str {
    match size {
        PhotoSize::Full => "full",
        PhotoSize::Thumbnail => "thumbnail",
    }
}

/// What is known of a stored photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PhotoState {
    /// How many products name it.
    pub(crate) uses: u64,
    /// When it expires, in seconds; `None` while a product names it.
    pub(crate) expires: Option<i64>,
}

impl PhotoState {
    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        let expires = record.number(TTL).and_then(Number::to_i64);
        Ok(Self { uses: Fields(record).count(USES)?, expires })
    }

    fn is_unchanged(self) -> Vec<Condition> {
        let uses = Condition::Equals(USES.into(), count_number(self.uses).into());
        let expires = match self.expires {
            Some(second) => Condition::Equals(TTL.into(), Number::from(second).into()),
            None => Condition::Absent(TTL.into()),
        };
        vec![uses, expires]
    }
}

/// A new photo, which no product names.
pub(crate) fn to_record(owner: Owner, photo: &Photo, expires: Timestamp) -> Record {
    with_content(owned(owner, &keys::photo(owner, photo.id)), photo)
        .with("entityType", ENTITY)
        .with(USES, count_number(0))
        .with(TTL, seconds_number(expires))
}

fn with_content(record: Record, photo: &Photo) -> Record {
    record
        .with(PHOTO_ID, photo.id.to_string())
        .with(attribute(PhotoSize::Full), Value::B(photo.full.clone()))
        .with(attribute(PhotoSize::Thumbnail), Value::B(photo.thumbnail.clone()))
}

/// The photo of a resource of this account.
pub(crate) fn of_resource(account: &Urn, urn: &Urn, photo: &Photo, at: Timestamp) -> Record {
    with_content(Table::InventoryManagement.record_with(&keys::resource_photo(urn)), photo)
        .with("entityType", RESOURCE_ENTITY)
        .with(ACCOUNT, account.as_str())
        .with("resourceUrn", urn.as_str())
        .with("createdAt", timestamp_text(at))
}

/// One size of the photo of a resource, if that is of this account.
pub(crate) fn resource_bytes(
    account: &Urn,
    record: Record,
    size: PhotoSize,
) -> Result<Option<(PhotoId, Vec<u8>)>> {
    let fields = Fields(&record);
    if fields.text(ACCOUNT)? != account.as_str() {
        return Ok(None);
    }
    let id = fields.id(PHOTO_ID)?;
    Ok(Some((id, bytes(record, size)?)))
}

/// One size of a photo.
pub(crate) fn bytes(mut record: Record, size: PhotoSize) -> Result<Vec<u8>> {
    match record.remove(attribute(size)) {
        Some(Value::B(bytes)) => Ok(bytes),
        _ => Err(record.misfit(format!("{} is no binary value", attribute(size)))),
    }
}

/// Changes what is known of a photo that is still in this state.
pub(crate) fn change(owner: Owner, id: PhotoId, from: PhotoState, to: PhotoState) -> Action {
    let expires = match to.expires {
        Some(second) => Change::Set(TTL.into(), Number::from(second).into()),
        None => Change::Remove(TTL.into()),
    };
    Action::Update {
        table: Table::InventoryManagement,
        key: keys::photo(owner, id),
        when: from.is_unchanged(),
        changes: vec![Change::Set(USES.into(), count_number(to.uses).into()), expires],
    }
}

/// How many photos an inventory has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PhotoCount {
    /// Those that a product names.
    used: u64,
    /// The others, by the second at which they expire.
    unused: BTreeMap<i64, u64>,
    /// Counts the changes; 0 if there is no record.
    revision: u64,
}

impl PhotoCount {
    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        let fields = Fields(record);
        let mut unused = BTreeMap::new();
        for (name, _) in record.iter() {
            if let Some(second) = name.strip_prefix(EXPIRES_PREFIX) {
                let second = second.parse().map_err(|_| record.misfit("counts no second"))?;
                unused.insert(second, fields.count(name)?);
            }
        }
        Ok(Self { used: fields.count("used")?, unused, revision: fields.count(REVISION)? })
    }

    /// How many have not expired.
    pub(crate) fn stored(&self, at: Timestamp) -> u64 {
        let unused = self.unused.iter().filter(|(second, _)| **second > at.as_second());
        self.used + unused.map(|(_, count)| count).sum::<u64>()
    }

    /// Counts a photo whose state was this, if it was there, and is this now.
    pub(crate) fn moved(&mut self, from: Option<PhotoState>, to: PhotoState) {
        if let Some(from) = from {
            let place = self.place(from);
            *place = place.saturating_sub(1);
        }
        *self.place(to) += 1;
    }

    fn place(&mut self, state: PhotoState) -> &mut u64 {
        match state.expires {
            Some(second) => self.unused.entry(second).or_default(),
            None => &mut self.used,
        }
    }

    /// Writes it, without what has expired, if nobody else has written it since it was read.
    pub(crate) fn put(&self, owner: Owner, at: Timestamp) -> Action {
        let record = owned(owner, &keys::photo_count(owner))
            .with("entityType", COUNT_ENTITY)
            .with("used", count_number(self.used))
            .with(REVISION, count_number(self.revision + 1));
        let counted =
            self.unused.iter().filter(|(second, count)| **second > at.as_second() && **count > 0);
        let record = counted.fold(record, |record, (second, count)| {
            record.with(format!("{EXPIRES_PREFIX}{second}"), count_number(*count))
        });
        let when = match self.revision {
            0 => Condition::NotExists,
            revision => Condition::Equals(REVISION.into(), count_number(revision).into()),
        };
        Action::Put { table: Table::InventoryManagement, record, when: vec![when], embed: None }
    }
}
