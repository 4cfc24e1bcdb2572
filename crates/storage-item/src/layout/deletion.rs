//! `Job` records of deletions in more than one transaction. Unlike other jobs, a finished one is
//! kept for a while, so that its status can be queried.

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Deletion, DeletionId, Urn};
use larder_storage::Result;

use crate::{
    Action, Change, Condition, Key, Record, Table,
    layout::{
        fields::{Fields, count_number, seconds_number, timestamp_text},
        job, keys,
    },
};

/// The value of the attribute `work`.
pub(crate) const WORK: &str = "cascade";
/// How long a finished deletion can be queried.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);

const ID: &str = "jobId";
const ROOT: &str = "rootUrn";
const ROOT_CREATED_AT: &str = "rootCreatedAt";
const REMOVED: &str = "removed";
const TOTAL: &str = "total";
const FINISHED_AT: &str = "finishedAt";

/// A deletion, and the creation time of its root, which tells it from a later resource of the same
/// name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cascade {
    pub(crate) deletion: Deletion,
    pub(crate) root_created_at: Timestamp,
}

impl Cascade {
    /// One that begins.
    pub(crate) fn new(
        id: DeletionId,
        account: Urn,
        (root, root_created_at): (Urn, Timestamp),
        at: Timestamp,
    ) -> Self {
        let (removed, total, finished_at) = (0, None, None);
        let deletion = Deletion { id, account, root, removed, total, started_at: at, finished_at };
        Self { deletion, root_created_at }
    }

    pub(crate) fn key(&self) -> Key {
        keys::cascade_job(&self.deletion.account, self.deletion.id)
    }

    /// The record that opens it.
    pub(crate) fn to_record(&self) -> Record {
        let Deletion { id, account, root, removed, started_at, .. } = &self.deletion;
        job::open(&self.key(), WORK, *started_at)
            .with(ID, id.to_string())
            .with("accountUrn", account.as_str())
            .with(ROOT, root.as_str())
            .with(ROOT_CREATED_AT, timestamp_text(self.root_created_at))
            .with(REMOVED, count_number(*removed))
    }

    pub(crate) fn from_record(record: &Record) -> Result<Self> {
        let fields = Fields(record);
        let deletion = Deletion {
            id: fields.id(ID)?,
            account: fields.id("accountUrn")?,
            root: fields.id(ROOT)?,
            removed: fields.count(REMOVED)?,
            total: fields.optional_count(TOTAL)?,
            started_at: fields.time(job::CREATED_AT)?,
            finished_at: fields.parse_optional(FINISHED_AT, str::parse)?,
        };
        Ok(Self { deletion, root_created_at: fields.time(ROOT_CREATED_AT)? })
    }

    /// Sets the total number of resources, unless it is set: then some may already be deleted.
    pub(crate) fn counted(&self, total: u64) -> Action {
        let changes = vec![Change::Set(TOTAL.into(), count_number(total).into())];
        self.update(vec![Condition::Absent(TOTAL.into())], changes)
    }

    /// Adds to the number of deleted resources.
    pub(crate) fn progressed(&self, removed: u64) -> Action {
        self.update(vec![], vec![Change::Add(REMOVED.into(), count_number(removed))])
    }

    /// Adds to the number of deleted resources, and marks the deletion as finished. It can be found
    /// by its id, but is no longer among the open jobs.
    pub(crate) fn finished(&self, removed: u64, at: Timestamp) -> Action {
        let kept_until = at.checked_add(KEPT_FOR).unwrap_or(Timestamp::MAX);
        let changes = vec![
            Change::Add(REMOVED.into(), count_number(removed)),
            Change::Set(FINISHED_AT.into(), timestamp_text(at).into()),
            Change::Set("ttl".into(), seconds_number(kept_until).into()),
            Change::Remove("GSI1PK".into()),
            Change::Remove("GSI1SK".into()),
        ];
        self.update(vec![], changes)
    }

    /// Changes it while it is open.
    fn update(&self, mut when: Vec<Condition>, changes: Vec<Change>) -> Action {
        when.push(Condition::Absent(FINISHED_AT.into()));
        Action::Update { table: Table::InventoryManagement, key: self.key(), when, changes }
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::HouseholdId;

    use super::*;
    use crate::{Number, Value};

    const ROOT_URN: &str = "urn:pp:Home.Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b";

    fn begun() -> Cascade {
        let account = Urn::of_household(HouseholdId::fixed(1));
        let root = (ROOT_URN.parse().unwrap(), Timestamp::UNIX_EPOCH);
        Cascade::new(DeletionId::fixed(2), account, root, Timestamp::from_second(60).unwrap())
    }

    fn after(action: Action, record: &Record) -> Record {
        let Action::Update { when, changes, key, .. } = action else { panic!("{action:?}") };
        assert_eq!(Table::InventoryManagement.key_of(record), Some(key));
        assert!(when.iter().all(|condition| condition.holds(Some(record))));
        let mut record = record.clone();
        for change in changes {
            change.apply(&mut record).unwrap();
        }
        record
    }

    #[test]
    fn a_deletion_that_begins_stands_among_the_open_jobs() {
        let begun = begun();
        let (account, id) = (&begun.deletion.account, begun.deletion.id);
        let (pk, sk) = (format!("ACCOUNT#{account}"), format!("JOB#CASCADE#{id}"));
        let expected = Record::new()
            .with("GSI1PK", "JOBS")
            .with("GSI1SK", format!("1970-01-01T00:01:00.000Z#{pk}#{sk}"))
            .with("PK", pk)
            .with("SK", sk)
            .with("entityType", "Job")
            .with("work", "cascade")
            .with("jobId", id.to_string())
            .with("accountUrn", account.as_str())
            .with("rootUrn", ROOT_URN)
            .with("rootCreatedAt", "1970-01-01T00:00:00.000Z")
            .with("removed", Number::from(0))
            .with("createdAt", "1970-01-01T00:01:00.000Z");
        assert_eq!(begun.to_record(), expected);
        assert_eq!(Cascade::from_record(&expected).unwrap(), begun);
    }

    #[test]
    fn it_counts_what_is_gone_and_in_the_end_leaves_the_open_jobs() {
        let begun = begun();
        let record = after(begun.counted(7), &begun.to_record());
        let counted_again = begun.counted(3);
        assert!(!counted_again.conditions()[0].holds(Some(&record)), "what was counted stays");
        let record = after(begun.progressed(4), &record);
        let end = Timestamp::from_second(3600).unwrap();
        let record = after(begun.finished(3, end), &record);
        let ended = Cascade::from_record(&record).unwrap().deletion;
        assert_eq!((ended.removed, ended.total), (7, Some(7)));
        assert_eq!(ended.finished_at, Some(end));
        assert_eq!(record.get("ttl"), Some(&Value::N(Number::from(25 * 3600))));
        assert_eq!((record.get("GSI1PK"), record.get("GSI1SK")), (None, None));
        let again = begun.finished(0, end);
        assert!(!again.conditions()[0].holds(Some(&record)), "it ends once");
    }
}
