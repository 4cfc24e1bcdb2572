//! `Job` records: work that continues after the transaction that started it, so that any server can
//! finish it.

use jiff::Timestamp;
use larder_domain::{HouseholdId, ItemId, Owner, ProductId};
use larder_storage::Result;

use crate::{
    GSI1, Key, Query, Record, SortKeys, Table,
    layout::{
        deletion::{self, Cascade},
        erasure,
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "Job";
/// The attribute of the start time.
pub(crate) const CREATED_AT: &str = "createdAt";
const WORK: &str = "work";

/// Work on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Turn the shopping entries of a deleted item into free text.
    Unlink,
    /// Copy the name of a renamed item to its tags. Opened by earlier versions; now by [`LotsJob`].
    Rename,
}

impl Work {
    const ALL: [Self; 2] = [Self::Unlink, Self::Rename];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Unlink => "unlink",
            Self::Rename => "rename",
        }
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|work| work.as_str() == text).ok_or("is no known work")
    }
}

/// The record that opens a job, without its details.
pub(crate) fn open(key: &Key, work: &'static str, at: Timestamp) -> Record {
    let Key { pk, sk } = key;
    Table::InventoryManagement
        .record_with(key)
        .with("GSI1PK", keys::JOBS_PK)
        .with("GSI1SK", format!("{}#{pk}#{sk}", timestamp_text(at)))
        .with("entityType", ENTITY)
        .with(WORK, work)
        .with(CREATED_AT, timestamp_text(at))
}

/// An open job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpenJob {
    /// One that is about an item.
    Item(Job),
    /// One that is about the lots of a product.
    Lots(LotsJob),
    /// One that deletes resources.
    Cascade(Box<Cascade>),
    /// One that erases a household, an account or a device.
    Erasure,
}

impl OpenJob {
    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        if record.text(WORK) == Some(deletion::WORK) {
            Cascade::from_record(record).map(Box::new).map(Self::Cascade)
        } else if record.text(WORK) == Some(erasure::WORK) {
            Ok(Self::Erasure)
        } else if record.text(WORK) == Some(LotsJob::WORK) {
            LotsJob::from_record(record).map(Self::Lots)
        } else {
            Job::from_record(record).map(Self::Item)
        }
    }
}

/// A job about an item, which is open as long as its record exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) work: Work,
    pub(crate) household: HouseholdId,
    pub(crate) item: ItemId,
}

impl Job {
    pub(crate) fn key(self) -> Key {
        match self.work {
            Work::Unlink => keys::unlink_job(self.household, self.item),
            Work::Rename => keys::rename_job(self.household, self.item),
        }
    }

    /// The record that opens it.
    pub(crate) fn to_record(self, at: Timestamp) -> Record {
        open(&self.key(), self.work.as_str(), at)
            .with("familyId", self.household.to_string())
            .with("itemId", self.item.to_string())
    }

    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        let fields = Fields(record);
        Ok(Self {
            work: fields.parse(WORK, Work::parse)?,
            household: fields.id("familyId")?,
            item: fields.id("itemId")?,
        })
    }
}

/// The job of telling the lots of a product what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LotsJob {
    pub(crate) owner: Owner,
    pub(crate) product: ProductId,
}

impl LotsJob {
    const WORK: &str = "lots";

    pub(crate) fn key(self) -> Key {
        keys::lots_job(self.owner, self.product)
    }

    /// The record that opens it.
    pub(crate) fn to_record(self, at: Timestamp) -> Record {
        let record = open(&self.key(), Self::WORK, at).with("productId", self.product.to_string());
        match self.owner {
            Owner::Household(household) => record.with("familyId", household.to_string()),
            Owner::User(user) => record.with("userId", user.to_string()),
        }
    }

    fn from_record(record: &Record) -> Result<Self> {
        let fields = Fields(record);
        let owner = match fields.optional_id("familyId")? {
            Some(household) => Owner::Household(household),
            None => Owner::User(fields.id("userId")?),
        };
        Ok(Self { owner, product: fields.id("productId")? })
    }
}

/// The open jobs of all households, the oldest first.
pub(crate) fn oldest_first(limit: usize) -> Query {
    Query::new(Table::InventoryManagement, keys::JOBS_PK, SortKeys::Any, limit).by(GSI1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_says_what_to_do_and_stands_among_the_others_by_its_time() {
        let (household, item) = (HouseholdId::fixed(1), ItemId::fixed(2));
        let job = Job { work: Work::Unlink, household, item };
        let (pk, sk) = (format!("FAMILY#{household}"), format!("JOB#UNLINK#{item}"));
        let expected = Record::new()
            .with("GSI1PK", "JOBS")
            .with("GSI1SK", format!("1970-01-01T00:00:00.000Z#{pk}#{sk}"))
            .with("PK", pk)
            .with("SK", sk)
            .with("entityType", "Job")
            .with("work", "unlink")
            .with("familyId", household.to_string())
            .with("itemId", item.to_string())
            .with("createdAt", "1970-01-01T00:00:00.000Z");
        assert_eq!(job.to_record(Timestamp::UNIX_EPOCH), expected);
    }

    #[test]
    fn every_job_comes_back_and_an_unknown_one_does_not() {
        for work in Work::ALL {
            let job = Job { work, household: HouseholdId::fixed(1), item: ItemId::fixed(2) };
            let record = job.to_record(Timestamp::UNIX_EPOCH);
            assert_eq!(Job::from_record(&record).unwrap(), job);
            assert_eq!(Table::InventoryManagement.key_of(&record), Some(job.key()));
            assert_eq!(OpenJob::from_record(&record).unwrap(), OpenJob::Item(job));
            assert!(OpenJob::from_record(&record.with("work", "rest")).is_err());
        }
        let user = larder_domain::UserId::fixed(3);
        for owner in [Owner::Household(HouseholdId::fixed(1)), Owner::User(user)] {
            let job = LotsJob { owner, product: ProductId::fixed(2) };
            let record = job.to_record(Timestamp::UNIX_EPOCH);
            assert_eq!(Table::InventoryManagement.key_of(&record), Some(job.key()));
            assert_eq!(OpenJob::from_record(&record).unwrap(), OpenJob::Lots(job));
        }
    }
}
