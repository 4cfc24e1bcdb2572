//! `Job` records of erasures. A finished one is kept for a while, so that its status can be queried,
//! but without its target.

use jiff::{SignedDuration, Timestamp};
use larder_domain::{DeletionId, Erasure, ErasureKind, ErasureTarget, UserId};
use larder_storage::Result;

use crate::{
    Action, Change, Condition, Record, Table,
    layout::{
        fields::{Fields, count_number, seconds_number, timestamp_text},
        job, keys,
    },
};

/// The value of the attribute `work`.
pub(crate) const WORK: &str = "erasure";
/// How long a finished erasure can be queried.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);

const ID: &str = "jobId";
const KIND: &str = "kind";
const TARGET: &str = "target";
const BEGUN_BY: &str = "begunBy";
const REMOVED: &str = "removed";
const FINISHED_AT: &str = "finishedAt";

/// The record that opens an erasure.
pub(crate) fn to_record(erasure: &Erasure, target: ErasureTarget) -> Record {
    let target = match target {
        ErasureTarget::Household(household) => household.to_string(),
        ErasureTarget::Account(user) => user.to_string(),
        ErasureTarget::Device(device) => device.to_string(),
    };
    job::open(&keys::erasure(erasure.id), WORK, erasure.started_at)
        .with(ID, erasure.id.to_string())
        .with(KIND, erasure.kind.as_str())
        .with(TARGET, target)
        .with_some(BEGUN_BY, erasure.begun_by.map(|user| user.to_string()))
        .with(REMOVED, count_number(erasure.removed))
}

pub(crate) fn from_record(record: &Record) -> Result<Erasure> {
    let fields = Fields(record);
    let kind = |text: &str| ErasureKind::parse(text).ok_or("is no kind of erasure");
    Ok(Erasure {
        id: fields.id(ID)?,
        kind: fields.parse(KIND, kind)?,
        begun_by: fields.optional_id::<UserId>(BEGUN_BY)?,
        removed: fields.count(REMOVED)?,
        started_at: fields.time(job::CREATED_AT)?,
        finished_at: fields.parse_optional(FINISHED_AT, str::parse)?,
    })
}

/// What is erased; `None` when it is.
pub(crate) fn target(record: &Record) -> Result<Option<ErasureTarget>> {
    let fields = Fields(record);
    if fields.optional_text(TARGET)?.is_none() {
        return Ok(None);
    }
    Ok(Some(match from_record(record)?.kind {
        ErasureKind::Household => ErasureTarget::Household(fields.id(TARGET)?),
        ErasureKind::Account => ErasureTarget::Account(fields.id(TARGET)?),
        ErasureKind::Device => ErasureTarget::Device(fields.id(TARGET)?),
    }))
}

/// Adds to the number of erased records.
pub(crate) fn progressed(id: DeletionId, removed: u64) -> Action {
    update(id, vec![Change::Add(REMOVED.into(), count_number(removed))])
}

/// Marks an erasure as finished, and forgets what it was of.
pub(crate) fn finished(id: DeletionId, at: Timestamp) -> Action {
    let kept_until = at.checked_add(KEPT_FOR).unwrap_or(Timestamp::MAX);
    let forgotten = ["GSI1PK", "GSI1SK", TARGET].map(|name| Change::Remove(name.into()));
    let mut changes = vec![
        Change::Set(FINISHED_AT.into(), timestamp_text(at).into()),
        Change::Set("ttl".into(), seconds_number(kept_until).into()),
    ];
    changes.extend(forgotten);
    update(id, changes)
}

/// Changes it while it is open.
fn update(id: DeletionId, changes: Vec<Change>) -> Action {
    let when = vec![Condition::Exists, Condition::Absent(FINISHED_AT.into())];
    Action::Update { table: Table::InventoryManagement, key: keys::erasure(id), when, changes }
}

#[cfg(test)]
mod tests {
    use larder_domain::{HardwareId, HouseholdId};

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
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
    fn an_erasure_comes_back_with_its_target() {
        for target in [
            ErasureTarget::Household(HouseholdId::fixed(1)),
            ErasureTarget::Account(UserId::fixed(2)),
            ErasureTarget::Device(HardwareId::from_bytes([3; 6])),
        ] {
            let by = Some(UserId::fixed(4));
            let erasure = Erasure::begin(DeletionId::fixed(5), target.kind(), by, at(60));
            let record = to_record(&erasure, target);
            assert_eq!(from_record(&record).unwrap(), erasure);
            assert_eq!(super::target(&record).unwrap(), Some(target));
            assert_eq!(record.text("GSI1PK"), Some("JOBS"));
        }
    }

    #[test]
    fn a_finished_one_tells_how_much_but_not_of_what() {
        let household = HouseholdId::fixed(7);
        let target = ErasureTarget::Household(household);
        let erasure = Erasure::begin(DeletionId::fixed(5), target.kind(), None, at(60));
        let record = after(progressed(erasure.id, 9), &to_record(&erasure, target));
        let record = after(finished(erasure.id, at(90)), &record);
        let ended = from_record(&record).unwrap();
        assert_eq!((ended.removed, ended.finished_at), (9, Some(at(90))));
        assert_eq!(super::target(&record).unwrap(), None);
        assert!(!format!("{record:?}").contains(&household.to_string()));
        assert_eq!(record.get("GSI1PK"), None);
    }
}
