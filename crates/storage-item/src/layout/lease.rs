//! `Lease` records: which server does a job, until when, and when it was last done.

use jiff::Timestamp;
use larder_storage::Result;

use crate::{
    Key, Record,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

/// The lease of a job. Without a holder it is free.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) held: Option<Held>,
    pub(crate) finished_at: Option<Timestamp>,
}

/// The holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) holder: String,
    pub(crate) until: Timestamp,
}

impl Lease {
    /// Whether this server may take it: it is free, its own, or expired.
    pub(crate) fn is_free_for(&self, holder: &str, at: Timestamp) -> bool {
        self.held.as_ref().is_none_or(|held| held.holder == holder || held.until <= at)
    }
}

pub(crate) fn to_record(job: &str, lease: &Lease) -> Record {
    let Key { pk, sk } = keys::lease(job);
    let held = lease.held.as_ref();
    Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("entityType", "Lease")
        .with_some("holder", held.map(|held| held.holder.as_str()))
        .with_some("until", held.map(|held| timestamp_text(held.until)))
        .with_some("finishedAt", lease.finished_at.map(timestamp_text))
}

pub(crate) fn from_record(record: &Record) -> Result<Lease> {
    let fields = Fields(record);
    let held = match fields.optional_text("holder")? {
        Some(holder) => Some(Held { holder: holder.to_owned(), until: fields.time("until")? }),
        None => None,
    };
    Ok(Lease { held, finished_at: fields.parse_optional("finishedAt", str::parse)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + seconds).unwrap()
    }

    fn held(until_s: i64) -> Lease {
        let held = Some(Held { holder: "kitchen".to_owned(), until: at(until_s) });
        Lease { held, finished_at: Some(at(-60)) }
    }

    #[test]
    fn leases_come_back() {
        for lease in [held(30), Lease::default(), Lease { held: None, ..held(30) }] {
            assert_eq!(from_record(&to_record("sweep", &lease)).unwrap(), lease);
        }
    }

    #[test]
    fn another_server_waits_until_the_lease_has_run_out() {
        let lease = held(30);
        assert!(lease.is_free_for("kitchen", at(0)));
        assert!(!lease.is_free_for("cellar", at(29)));
        assert!(lease.is_free_for("cellar", at(30)));
        assert!(Lease::default().is_free_for("cellar", at(0)));
    }
}
