//! `Delivery` records: pending deliveries and dead letters.

use jiff::Timestamp;
use larder_domain::{Channel, Notification};
use larder_storage::{DEAD_LETTER_LIFETIME, Delivery, Result};

use crate::{
    Change, GSI1, Key, Number, Query, Record, SortKeys, Table,
    layout::{
        fields::{Fields, seconds_number, timestamp_text},
        keys,
    },
};

/// The partition of the index that a delivery is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Queue {
    /// To be tried when it is due.
    Due,
    /// Dead letters.
    Dead,
}

impl Queue {
    pub(crate) const fn pk(self) -> &'static str {
        match self {
            Self::Due => "DELIVERIES",
            Self::Dead => "DEAD-LETTERS",
        }
    }

    /// Whether this record waits here.
    pub(crate) fn holds(self, record: &Record) -> bool {
        record.text("GSI1PK") == Some(self.pk())
    }

    /// Those that wait here until then, the longest waiting first.
    pub(crate) fn waiting(self, until: Timestamp, limit: usize) -> Query {
        // Ids and names of channels begin with letters and digits, which sort before "~".
        let due = SortKeys::Between("DUE#".to_owned(), format!("{}~", due_prefix(until)));
        Query::new(Table::InventoryManagement, self.pk(), due, limit).by(GSI1)
    }
}

fn due_prefix(due_at: Timestamp) -> String {
    format!("DUE#{}#", timestamp_text(due_at))
}

pub(crate) fn key(delivery: &Delivery) -> Key {
    keys::delivery(delivery.household, delivery.notification, delivery.channel)
}

/// The delivery of a new notification over a channel.
pub(crate) const fn first(
    notification: &Notification,
    channel: Channel,
    due_at: Timestamp,
) -> Delivery {
    Delivery {
        household: notification.household,
        notification: notification.id,
        channel,
        attempts: 0,
        due_at,
        last_error: None,
    }
}

pub(crate) fn to_record(delivery: &Delivery, queue: Queue) -> Record {
    let Key { pk, sk } = key(delivery);
    let forgotten_at = match queue {
        Queue::Due => None,
        Queue::Dead => delivery.due_at.checked_add(DEAD_LETTER_LIFETIME).ok(),
    };
    let waits_at = format!(
        "{}{}#{}#{}",
        due_prefix(delivery.due_at),
        delivery.household,
        delivery.notification,
        delivery.channel.as_str()
    );
    Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("GSI1PK", queue.pk())
        .with("GSI1SK", waits_at)
        .with("entityType", "Delivery")
        .with("familyId", delivery.household.to_string())
        .with("notificationId", delivery.notification.to_string())
        .with("channel", delivery.channel.as_str())
        .with("attempts", Number::from(i64::from(delivery.attempts)))
        .with("dueAt", timestamp_text(delivery.due_at))
        // Some endpoints reject empty strings.
        .with_some("lastError", delivery.last_error.as_deref().filter(|text| !text.is_empty()))
        .with_some("ttl", forgotten_at.map(seconds_number))
}

pub(crate) fn from_record(record: &Record) -> Result<Delivery> {
    let fields = Fields(record);
    let channel = |text: &str| Channel::parse(text).ok_or("is no known channel");
    let attempts = fields.count("attempts")?;
    Ok(Delivery {
        household: fields.id("familyId")?,
        notification: fields.id("notificationId")?,
        channel: fields.parse("channel", channel)?,
        attempts: u32::try_from(attempts).map_err(|_| record.misfit("attempts is no count"))?,
        due_at: fields.time("dueAt")?,
        last_error: fields.optional_text("lastError")?.map(str::to_owned),
    })
}

/// The changes from any record of a delivery to this one.
pub(crate) fn becomes(delivery: &Delivery, queue: Queue) -> Vec<Change> {
    const FOLLOWS: [&str; 6] = ["GSI1PK", "GSI1SK", "attempts", "dueAt", "lastError", "ttl"];
    let record = to_record(delivery, queue);
    let change = |name: &'static str| match record.get(name) {
        Some(value) => Change::Set(name.into(), value.clone()),
        None => Change::Remove(name.into()),
    };
    FOLLOWS.into_iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdId, NotificationId};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + seconds).unwrap()
    }

    fn delivery(due_s: i64, attempts: u32, last_error: Option<&str>) -> Delivery {
        Delivery {
            household: HouseholdId::fixed(1),
            notification: NotificationId::fixed(2),
            channel: Channel::Webhook,
            attempts,
            due_at: at(due_s),
            last_error: last_error.map(str::to_owned),
        }
    }

    #[test]
    fn a_new_delivery_is_one_record_in_the_queue() {
        let expected = Record::new()
            .with("PK", "FAMILY#00000000-0000-0000-0000-000000000001")
            .with("SK", "DELIVERY#00000000-0000-0000-0000-000000000002#webhook")
            .with("GSI1PK", "DELIVERIES")
            .with(
                "GSI1SK",
                "DUE#2026-01-01T00:00:00.000Z#00000000-0000-0000-0000-000000000001\
                 #00000000-0000-0000-0000-000000000002#webhook",
            )
            .with("entityType", "Delivery")
            .with("familyId", "00000000-0000-0000-0000-000000000001")
            .with("notificationId", "00000000-0000-0000-0000-000000000002")
            .with("channel", "webhook")
            .with("attempts", Number::from(0))
            .with("dueAt", "2026-01-01T00:00:00.000Z");
        assert_eq!(to_record(&delivery(0, 0, None), Queue::Due), expected);
    }

    #[test]
    fn every_delivery_comes_back_from_either_queue() {
        for queue in [Queue::Due, Queue::Dead] {
            for held in [delivery(0, 0, None), delivery(5, 7, Some("410 Gone"))] {
                let record = to_record(&held, queue);
                assert_eq!(from_record(&record).unwrap(), held);
                assert!(queue.holds(&record));
            }
        }
    }

    #[test]
    fn an_error_without_words_is_none() {
        let record = to_record(&delivery(0, 1, Some("")), Queue::Due);
        assert_eq!(from_record(&record).unwrap(), delivery(0, 1, None));
    }

    #[test]
    fn a_changed_delivery_is_as_if_written_anew() {
        let states = [
            (delivery(0, 0, None), Queue::Due),
            (delivery(10, 1, Some("timed out")), Queue::Due),
            (delivery(20, 2, Some("410 Gone")), Queue::Dead),
        ];
        for (before, from) in &states {
            for (after, to) in &states {
                let mut record = to_record(before, *from);
                for change in becomes(after, *to) {
                    change.apply(&mut record).unwrap();
                }
                assert_eq!(record, to_record(after, *to), "{before:?} to {after:?}");
            }
        }
    }

    #[test]
    fn only_the_dead_are_forgotten_after_thirty_days() {
        let held = delivery(0, 1, None);
        assert_eq!(to_record(&held, Queue::Due).get("ttl"), None);
        let kept_until = Number::from(at(0).as_second() + 30 * 24 * 60 * 60);
        assert_eq!(to_record(&held, Queue::Dead).number("ttl"), Some(kept_until));
    }

    #[test]
    fn what_is_due_at_this_moment_waits_no_longer() {
        let SortKeys::Between(from, to) = Queue::Due.waiting(at(10), 1).sort else {
            panic!("a range of sort keys");
        };
        for (due_s, is_due) in [(0, true), (10, true), (11, false)] {
            let record = to_record(&delivery(due_s, 0, None), Queue::Due);
            let sort = record.text("GSI1SK").unwrap();
            assert_eq!((from.as_str()..=to.as_str()).contains(&sort), is_due, "{sort}");
        }
    }
}
