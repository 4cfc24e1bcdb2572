//! One change record.

use jiff::Timestamp;
use larder_storage::{Result, StorageError};
use larder_storage_item::{JournalEntry, Key, MAX_RECORD_BYTES, Number, Record, Table, Value};

use super::place::{self, Place};

/// The images in a change record, and the names of large ones that are stored separately.
pub(crate) const IMAGES: [&str; 2] = ["old", "new"];
/// The number of the transaction's changes in the partition. Only in its first change.
const COUNT: &str = "changes";
/// Which images are stored separately.
const BESIDE: &str = "beside";
/// The attribute of an image that is stored separately.
const IMAGE: &str = "image";

/// A change that is about to be written.
pub(crate) struct NewEntry<'a> {
    pub(crate) place: Place,
    pub(crate) table: Table,
    pub(crate) key: &'a Key,
    pub(crate) actor: &'a str,
    pub(crate) at: Timestamp,
    pub(crate) old: Option<&'a Record>,
    pub(crate) new: Option<&'a Record>,
    /// The number of its transaction's changes in the partition.
    pub(crate) count: usize,
    /// The second at which it expires.
    pub(crate) expires: i64,
}

impl NewEntry<'_> {
    /// The records to write, the change itself first.
    pub(crate) fn to_records(&self) -> Result<Vec<Record>> {
        let images = [self.old, self.new].map(|image| image.map(without_key));
        let mut change = self.frame(self.place.sort_key());
        // The key in the index must fit, too.
        let id = place::record_id(self.table, self.key);
        if id.len() > 2048 {
            return Err(StorageError::TooLarge("a key, together with its table's name".into()));
        }
        change.set("record", id);
        change.set("table", self.table.name());
        change.set("recordPk", self.key.pk.as_str());
        change.set("recordSk", self.key.sk.as_str());
        change.set("actor", self.actor);
        change.set("at", self.at.to_string());
        if self.place.index == 0 {
            let count = i64::try_from(self.count).unwrap_or(i64::MAX);
            change.set(COUNT, Number::from(count));
            // The newest transaction must not expire: see the module.
            change.remove("ttl");
        }
        let images =
            IMAGES.into_iter().zip(images).filter_map(|(name, image)| Some((name, image?)));
        let whole = images
            .clone()
            .fold(change.clone(), |record, (name, image)| record.with(name, Value::M(image)));
        if bytes(&whole)? <= MAX_RECORD_BYTES {
            return Ok(vec![whole]);
        }
        let beside = images.clone().map(|(name, _)| name.into()).collect();
        let mut records = vec![change.with(BESIDE, Value::L(beside))];
        for (name, image) in images {
            let record = self.frame(self.place.image_sort_key(name)).with(IMAGE, Value::M(image));
            if bytes(&record)? > MAX_RECORD_BYTES {
                return Err(StorageError::TooLarge(format!(
                    "a record whose change takes {} bytes, where {MAX_RECORD_BYTES} are the most",
                    bytes(&record)?
                )));
            }
            records.push(record);
        }
        Ok(records)
    }

    fn frame(&self, sort_key: String) -> Record {
        Record::new()
            .with("PK", place::partition(self.table, &self.key.pk))
            .with("SK", sort_key)
            .with("ttl", Number::from(self.expires))
    }
}

fn bytes(record: &Record) -> Result<usize> {
    let too_deep = || StorageError::TooLarge("a record nested too deep for its change".into());
    record.counted_bytes().ok_or_else(too_deep)
}

/// The key is in the change record already.
fn without_key(image: &Record) -> Record {
    let mut image = image.clone();
    image.remove("PK");
    image.remove("SK");
    image
}

/// A change record as it was read.
#[derive(Debug)]
pub(crate) struct StoredEntry {
    pub(crate) place: Place,
    pub(crate) entry: JournalEntry,
    /// The number of its transaction's changes in the partition, if it is the first.
    pub(crate) count: Option<u64>,
    /// Name and key of images that are not loaded yet.
    pub(crate) beside: Vec<(&'static str, Key)>,
}

impl StoredEntry {
    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        let misfit = |what: &str| record.misfit(format!("a change record without {what}"));
        let text = |name: &str| record.text(name).ok_or_else(|| misfit(name));
        let (place, _) = Place::parse(text("SK")?).ok_or_else(|| misfit("its place"))?;
        let table = Table::ALL.into_iter().find(|table| record.text("table") == Some(table.name()));
        let key = Key::new(text("recordPk")?, text("recordSk")?);
        let [old, new] = IMAGES.map(|name| match record.get(name) {
            Some(Value::M(image)) => Some(with_key(image, &key)),
            _ => None,
        });
        let is_beside = |name: &&str| match record.get(BESIDE) {
            Some(Value::L(names)) => names.contains(&Value::S((*name).to_owned())),
            _ => false,
        };
        let beside = IMAGES.into_iter().filter(is_beside);
        let beside =
            beside.map(|name| Ok((name, Key::new(text("PK")?, place.image_sort_key(name)))));
        Ok(Self {
            place,
            count: record.number(COUNT).and_then(Number::to_i64).and_then(|n| n.try_into().ok()),
            beside: beside.collect::<Result<_>>()?,
            entry: JournalEntry {
                sequence: place.sequence(),
                at: text("at")?.parse().map_err(|_| misfit("its time"))?,
                actor: text("actor")?.to_owned(),
                table: table.ok_or_else(|| misfit("its table"))?,
                key,
                old,
                new,
            },
        })
    }

    /// Adds an image that was stored separately.
    pub(crate) fn put_image(&mut self, name: &str, beside: &Record) -> Result<()> {
        let Some(Value::M(image)) = beside.get(IMAGE) else {
            return Err(beside.misfit("no image"));
        };
        let image = Some(with_key(image, &self.entry.key));
        if name == IMAGES[0] {
            self.entry.old = image;
        } else {
            self.entry.new = image;
        }
        Ok(())
    }
}

fn with_key(image: &Record, key: &Key) -> Record {
    image.clone().with("PK", key.pk.as_str()).with("SK", key.sk.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry<'a>(
        key: &'a Key,
        index: u64,
        old: Option<&'a Record>,
        new: Option<&'a Record>,
    ) -> NewEntry<'a> {
        NewEntry {
            place: Place { transaction: 3, index },
            table: Table::InventoryManagement,
            key,
            actor: "mia",
            at: "2031-05-06T07:08:09.123456789Z".parse().unwrap(),
            old,
            new,
            count: 2,
            expires: 77,
        }
    }

    fn own_key(record: &Record) -> Option<Key> {
        Some(Key::new(record.text("PK")?, record.text("SK")?))
    }

    fn image(text: &str) -> Record {
        Record::new().with("PK", "p").with("SK", "s").with("text", text)
    }

    #[test]
    fn a_change_comes_back_with_all_it_told() {
        let (key, old, new) = (Key::new("p", "s"), image("old"), image("new"));
        let records = entry(&key, 0, Some(&old), Some(&new)).to_records().unwrap();
        assert_eq!(records.len(), 1);
        let stored = StoredEntry::from_record(&records[0]).unwrap();
        assert_eq!((stored.place, stored.count), (Place::first(3), Some(2)));
        assert_eq!((stored.entry.old, stored.entry.new), (Some(old), Some(new)));
        assert_eq!((stored.entry.key, stored.entry.sequence), (key, 3 * 128));
        assert_eq!(stored.entry.at.to_string(), "2031-05-06T07:08:09.123456789Z");
        assert_eq!(stored.entry.actor, "mia");
    }

    #[test]
    fn the_first_change_of_the_newest_transaction_does_not_expire_and_others_do() {
        let (key, new) = (Key::new("p", "s"), image("new"));
        let first = entry(&key, 0, None, Some(&new)).to_records().unwrap();
        assert_eq!(first[0].number("ttl"), None);
        let second = entry(&key, 1, None, Some(&new)).to_records().unwrap();
        assert_eq!(second[0].number("ttl"), Some(Number::from(77)));
    }

    #[test]
    fn images_that_do_not_fit_together_stand_beside() {
        let (key, old, new) = (Key::new("p", "s"), "o".repeat(300_000), "n".repeat(300_000));
        let (old, new) = (image(&old), image(&new));
        let records = entry(&key, 0, Some(&old), Some(&new)).to_records().unwrap();
        assert_eq!(records.len(), 3);
        assert!(records.iter().all(|record| record.counted_bytes().unwrap() <= MAX_RECORD_BYTES));
        let mut stored = StoredEntry::from_record(&records[0]).unwrap();
        assert_eq!(stored.entry.old, None);
        for (name, key) in stored.beside.clone() {
            let record =
                records.iter().find(|record| own_key(record) == Some(key.clone())).unwrap();
            stored.put_image(name, record).unwrap();
        }
        assert_eq!((stored.entry.old, stored.entry.new), (Some(old), Some(new)));
    }

    #[test]
    fn a_change_record_that_lacks_something_is_corrupt() {
        let (key, new) = (Key::new("p", "s"), image("new"));
        let records = entry(&key, 0, None, Some(&new)).to_records().unwrap();
        for name in ["table", "recordSk", "at", "actor"] {
            let mut record = records[0].clone();
            record.remove(name);
            let damaged = StoredEntry::from_record(&record);
            assert!(matches!(damaged, Err(StorageError::Corrupt { .. })), "{name}");
        }
    }
}
