//! `Notification` records. Each kind of subject has attributes of its own.

use larder_domain::{HouseholdId, Notification, NotificationFilter, NotificationStatus};
use larder_storage::Result;

use crate::{
    Change, GSI2, Key, Query, Record, SortKeys, Table,
    layout::{
        entity::Layout,
        fields::{seconds_number, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "Notification";

/// Sorts after every sort key of a status in the index.
const BEHIND: &str = "~";

fn list_pk(household: HouseholdId) -> String {
    format!("{}#NOTIFICATIONS", keys::family_pk(household))
}

fn status_prefix(status: NotificationStatus) -> String {
    format!("STATUS#{}#", status.as_str())
}

fn list_sk(notification: &Notification) -> String {
    let created_at = timestamp_text(notification.created_at);
    format!("{}CREATED#{created_at}", status_prefix(notification.status()))
}

pub(crate) const LAYOUT: Layout =
    Layout { renamed: &[("householdId", "familyId")], writes_null: false };

pub(crate) fn to_record(notification: &Notification) -> Record {
    let Key { pk, sk } = keys::notification(notification.household, notification.id);
    let record = Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("GSI2PK", list_pk(notification.household))
        .with("GSI2SK", list_sk(notification))
        .with("entityType", ENTITY)
        .with("status", notification.status().as_str())
        .with_some("ttl", notification.expires_at().map(seconds_number));
    LAYOUT.write(notification, record)
}

pub(crate) fn from_record(record: &Record) -> Result<Notification> {
    LAYOUT.read(record)
}

/// The changes of a notification's progress, and nothing else.
pub(crate) fn progress(notification: &Notification) -> Vec<Change> {
    set(notification, ["status", "GSI2SK", "acknowledgedBy", "acknowledgedAt", "resolvedAt", "ttl"])
}

/// The changes of a notification's quantities, and nothing else.
pub(crate) fn figures(notification: &Notification) -> Vec<Change> {
    set(notification, ["quantity", "threshold", "unit"])
}

/// The changes of a notification that has put something on the shopping list, and nothing else.
pub(crate) fn listing(notification: &Notification) -> Vec<Change> {
    set(notification, ["listedAt"])
}

/// The changes that set these attributes, without those that it does not have.
fn set<const N: usize>(notification: &Notification, names: [&'static str; N]) -> Vec<Change> {
    let record = to_record(notification);
    let value = |name: &'static str| Some((name, record.get(name)?.clone()));
    let held = names.into_iter().filter_map(value);
    held.map(|(name, value)| Change::Set(name.into(), value)).collect()
}

/// The query of a list of notifications. Open ones are adjacent in the index.
pub(crate) fn list(household: HouseholdId, filter: NotificationFilter, limit: usize) -> Query {
    let sort = match filter {
        NotificationFilter::All => SortKeys::Any,
        NotificationFilter::Status(status) => SortKeys::BeginsWith(status_prefix(status)),
        NotificationFilter::Open => SortKeys::Between(
            status_prefix(NotificationStatus::Acknowledged),
            status_prefix(NotificationStatus::Active) + BEHIND,
        ),
    };
    Query::new(Table::InventoryManagement, list_pk(household), sort, limit).by(GSI2).backward()
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use larder_domain::{
        Acknowledgement, ExpirationDate, ItemId, ItemName, NotificationId, NotificationSubject,
        Quantity, Unit, UserId,
    };

    use super::*;
    use crate::{Number, Value};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + seconds).unwrap()
    }

    fn low_stock() -> Notification {
        Notification {
            id: NotificationId::fixed(3),
            household: HouseholdId::fixed(1),
            product: None,
            item: ItemId::fixed(2),
            item_name: ItemName::parse("Milk").unwrap(),
            subject: NotificationSubject::LowStock {
                quantity: Quantity::parse("0.5").unwrap(),
                threshold: Quantity::parse("2").unwrap(),
                unit: Unit::parse("L").unwrap(),
            },
            created_at: at(0),
            acknowledged: None,
            resolved_at: None,
            listed_at: None,
        }
    }

    fn all() -> Vec<Notification> {
        let date = ExpirationDate::parse("2026-01-03").unwrap();
        let seen = Some(Acknowledgement { by: UserId::fixed(9), at: at(60) });
        let subjects = [
            low_stock().subject,
            NotificationSubject::ExpiringSoon(date),
            NotificationSubject::Expired(date),
        ];
        let states = [(None, None), (seen, None), (None, Some(at(90))), (seen, Some(at(90)))];
        let combine = |subject: NotificationSubject| {
            states.map(|(acknowledged, resolved_at)| Notification {
                subject: subject.clone(),
                acknowledged,
                resolved_at,
                ..low_stock()
            })
        };
        subjects.into_iter().flat_map(combine).collect()
    }

    #[test]
    fn every_notification_comes_back() {
        for notification in all() {
            assert_eq!(from_record(&to_record(&notification)).unwrap(), notification);
        }
    }

    #[test]
    fn a_new_one_says_what_is_low_and_stands_among_the_active() {
        let family = "FAMILY#00000000-0000-0000-0000-000000000001";
        let expected = Record::new()
            .with("PK", family)
            .with("SK", "NOTIFICATION#00000000-0000-0000-0000-000000000003")
            .with("GSI2PK", format!("{family}#NOTIFICATIONS"))
            .with("GSI2SK", "STATUS#active#CREATED#2026-01-01T00:00:00.000Z")
            .with("entityType", "Notification")
            .with("notificationId", "00000000-0000-0000-0000-000000000003")
            .with("familyId", "00000000-0000-0000-0000-000000000001")
            .with("itemId", "00000000-0000-0000-0000-000000000002")
            .with("itemName", "Milk")
            .with("kind", "low_stock")
            .with("status", "active")
            .with("quantity", Number::new(5, -1).unwrap())
            .with("threshold", Number::from(2))
            .with("unit", "L")
            .with("createdAt", "2026-01-01T00:00:00.000Z");
        assert_eq!(to_record(&low_stock()), expected);
    }

    #[test]
    fn progress_leads_to_the_record_of_what_it_has_become() {
        for later in all() {
            let earlier = Notification { acknowledged: None, resolved_at: None, ..later.clone() };
            let mut record = to_record(&earlier);
            for change in progress(&later) {
                change.apply(&mut record).unwrap();
            }
            assert_eq!(record, to_record(&later));
        }
    }

    #[test]
    fn a_resolved_one_is_kept_thirty_days() {
        let resolved_at = Some(at(90) + SignedDuration::from_millis(999));
        let record = to_record(&Notification { resolved_at, ..low_stock() });
        let kept_until = at(90).as_second() + 30 * 24 * 60 * 60;
        assert_eq!(record.get("ttl"), Some(&Value::N(Number::from(kept_until))));
    }

    #[test]
    fn the_part_of_the_open_ones_holds_every_open_status_and_no_other() {
        let SortKeys::Between(from, to) =
            list(HouseholdId::fixed(1), NotificationFilter::Open, 1).sort
        else {
            panic!("a range of sort keys");
        };
        for notification in all() {
            let sort = list_sk(&notification);
            assert_eq!((&from..=&to).contains(&&sort), notification.is_open(), "{sort}");
        }
    }
}
