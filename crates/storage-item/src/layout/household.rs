//! `Family` records. Each has the time of the household's next daily job, and is indexed by it:
//! this is internal, and not visible to listeners.

use jiff::Timestamp;
use larder_domain::{Household, HouseholdId, InviteCode, Zone};
use larder_storage::{DueHousehold, Result};

use crate::{
    Change, Condition, GSI2, Number, Query, Record, SortKeys, Table,
    layout::{
        entity::Layout,
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "Family";

pub(crate) const LAYOUT: Layout = Layout { renamed: &[("id", "familyId")], writes_null: false };

/// When the household's next day begins.
pub(crate) const NEXT_DAILY_AT: &str = "nextDailyAt";

/// A new household with its creator as the only member and admin. Its first day is dealt with at once.
pub(crate) fn to_record(household: &Household) -> Record {
    let key = keys::family(household.id);
    let record = Record::new()
        .with("GSI1PK", keys::invite_pk(&household.invite_code))
        .with("GSI1SK", key.sk.as_str())
        .with("GSI2PK", shard_pk(shard_of(household.id)))
        .with("GSI2SK", daily_sk(household.created_at))
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", ENTITY)
        .with(NEXT_DAILY_AT, timestamp_text(household.created_at))
        .with("adminCount", Number::from(1))
        .with("memberCount", Number::from(1));
    LAYOUT.write(household, record)
}

pub(crate) fn from_record(record: &Record) -> Result<Household> {
    LAYOUT.read(record)
}

/// The changes for a new member, on the condition that the invite code is current.
pub(crate) fn one_member_more(code: &InviteCode) -> (Vec<Condition>, Vec<Change>) {
    let code_is_good = Condition::Equals("inviteCode".into(), code.as_str().into());
    (vec![code_is_good], vec![Change::Add("memberCount".into(), Number::from(1))])
}

/// The changes that replace the invite code.
pub(crate) fn recoded(code: &InviteCode, at: Timestamp) -> Vec<Change> {
    vec![
        Change::Set("inviteCode".into(), code.as_str().into()),
        Change::Set("GSI1PK".into(), keys::invite_pk(code).into()),
        Change::Set("updatedAt".into(), timestamp_text(at).into()),
    ]
}

/// Present when the household is being erased.
const CLOSED: &str = "closed";

/// The changes that close a household for good: nobody can enter, and no day begins.
pub(crate) fn closed(code: &InviteCode, at: Timestamp) -> Vec<Change> {
    let mut changes = recoded(code, at);
    changes.push(Change::Set(CLOSED.into(), true.into()));
    changes.extend([NEXT_DAILY_AT, "GSI2PK", "GSI2SK"].map(|name| Change::Remove(name.into())));
    changes
}

pub(crate) fn is_closed(record: &Record) -> bool {
    record.get(CLOSED).is_some()
}

pub(crate) fn is_not_closed() -> Condition {
    Condition::Absent(CLOSED.into())
}

fn shard_of(household: HouseholdId) -> u8 {
    household.as_bytes()[0]
}

fn shard_pk(shard: u8) -> String {
    format!("HOUSEHOLDS#{shard:02x}")
}

fn daily_sk(at: Timestamp) -> String {
    format!("DAILY#{}", timestamp_text(at))
}

/// The changes that schedule a household's next daily job.
pub(crate) fn next_day(household: HouseholdId, at: Timestamp) -> Vec<Change> {
    vec![
        Change::Set(NEXT_DAILY_AT.into(), timestamp_text(at).into()),
        Change::Set("GSI2PK".into(), shard_pk(shard_of(household)).into()),
        Change::Set("GSI2SK".into(), daily_sk(at).into()),
    ]
}

/// Whether the household is found when its day begins.
pub(crate) fn is_enrolled(household: HouseholdId, record: &Record) -> Result<bool> {
    let Some(at) = Fields(record).parse_optional(NEXT_DAILY_AT, str::parse)? else {
        return Ok(false);
    };
    let found_by = (record.text("GSI2PK"), record.text("GSI2SK"));
    Ok(found_by == (Some(&shard_pk(shard_of(household))), Some(&daily_sk(at))))
}

/// The households of a shard that are due by then, the longest waiting first.
pub(crate) fn begun(shard: u8, by: Timestamp, limit: usize) -> Query {
    let begun = SortKeys::Between("DAILY#".to_owned(), daily_sk(by));
    Query::new(Table::InventoryManagement, shard_pk(shard), begun, limit).by(GSI2)
}

/// The household and when its next day begins, if it is enrolled for that.
pub(crate) fn due(record: &Record) -> Result<Option<DueHousehold>> {
    let fields = Fields(record);
    let Some(due_at) = fields.parse_optional(NEXT_DAILY_AT, str::parse)? else { return Ok(None) };
    let zone = fields.parse("timeZone", Zone::parse)?;
    Ok(Some(DueHousehold { household: fields.id("familyId")?, zone, due_at }))
}

#[cfg(test)]
mod tests {
    use larder_domain::{AutoList, Currency, HouseholdName, UserId};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + seconds).unwrap()
    }

    fn home() -> Household {
        Household {
            id: HouseholdId::fixed(0xab34_0000_0000_4000_8000_0000_0000_0001),
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::parse("Asia/Tokyo").unwrap(),
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: InviteCode::from_random([7; 12]),
            created_by: UserId::fixed(2),
            created_at: at(0),
        }
    }

    #[test]
    fn a_new_household_is_due_at_once_in_the_shard_of_its_first_two_digits() {
        let record = to_record(&home());
        let keys = ["GSI2PK", "GSI2SK", NEXT_DAILY_AT].map(|name| record.text(name).unwrap());
        let time = "2026-01-01T00:00:00.000Z";
        assert_eq!(keys, ["HOUSEHOLDS#ab", &format!("DAILY#{time}"), time]);
        assert!(home().id.to_string().starts_with("ab"));
        let Some(DueHousehold { household, zone, due_at }) = due(&record).unwrap() else {
            panic!("a new household is enrolled");
        };
        assert_eq!((household, zone, due_at), (home().id, home().zone, at(0)));
    }

    #[test]
    fn only_another_currency_than_the_default_is_stored() {
        assert_eq!(to_record(&home()).text("currency"), None);
        let yen = Household { currency: Currency::parse("JPY").unwrap(), ..home() };
        let record = to_record(&yen);
        assert_eq!(record.text("currency"), Some("JPY"));
        assert_eq!(from_record(&record).unwrap(), yen);
    }

    #[test]
    fn a_later_day_changes_nothing_that_people_see() {
        let mut record = to_record(&home());
        for change in next_day(home().id, at(86_400)) {
            change.apply(&mut record).unwrap();
        }
        assert_eq!(from_record(&record).unwrap(), home());
        assert!(is_enrolled(home().id, &record).unwrap());
        assert_eq!(due(&record).unwrap().map(|due| due.due_at), Some(at(86_400)));
        let SortKeys::Between(from, to) = begun(0xab, at(86_399), 1).sort else {
            panic!("a range of sort keys");
        };
        assert!(!(from.as_str()..=to.as_str()).contains(&record.text("GSI2SK").unwrap()));
    }

    #[test]
    fn a_household_from_before_or_with_keys_that_disagree_is_not_enrolled() {
        for missing in [NEXT_DAILY_AT, "GSI2PK", "GSI2SK"] {
            let mut record = to_record(&home());
            record.remove(missing);
            assert!(!is_enrolled(home().id, &record).unwrap(), "{missing}");
        }
        let elsewhere = to_record(&home()).with("GSI2SK", "DAILY#2020-01-01T00:00:00.000Z");
        assert!(!is_enrolled(home().id, &elsewhere).unwrap());
    }
}
