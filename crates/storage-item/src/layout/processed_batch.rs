//! Records of `processed_batches`: seed 002, to the letter, plus the owner.
//!
//! Batch ids are unique per household, but the key of these records is only the batch id. So the
//! first household has the plain key, and any other with the same id has a key with the household.
//! The plain one then lives as long as the other: a free plain key must mean that no household
//! remembers the id.

use jiff::Timestamp;
use larder_domain::{BATCH_ID_LIFETIME, BatchId, HardwareId, HouseholdId, whole_seconds};
use larder_storage::Result;

use crate::{
    Condition, Key, Number, Record,
    layout::{
        fields::{Fields, second_text},
        fleet::{FAMILY_ID, belongs_to},
    },
};

/// Separates household and batch id; no batch id contains it.
const SEPARATOR: char = '#';
/// Stands for the household of the operator's devices.
const OPERATOR: &str = "operator";

/// The attribute of the expiry.
pub(crate) const EXPIRATION_TIME: &str = "expiration_time";
const RECEIVED_AT: &str = "received_at";

/// A batch id that was seen, and by which a repetition is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessedBatch {
    /// The id, as sent by the device.
    pub batch_id: BatchId,
    /// The owner of the devices; `None`: the operator.
    pub household: Option<HouseholdId>,
    /// Whether the record's key contains the household, because another household has the plain
    /// one.
    pub names_household: bool,
    /// The device.
    pub hardware_id: HardwareId,
    /// When it arrived, in whole seconds.
    pub received_at: Timestamp,
    /// The second (Unix time) at which the record expires: the id is forgotten by then.
    pub expires_at_s: i64,
}

impl ProcessedBatch {
    /// A batch id that arrived just now, under the plain key.
    pub fn received(
        batch_id: BatchId,
        household: Option<HouseholdId>,
        hardware_id: HardwareId,
        at: Timestamp,
    ) -> Self {
        let received_at = whole_seconds(at);
        let expires_at_s = forgotten_at_s(received_at);
        let names_household = false;
        Self { batch_id, household, names_household, hardware_id, received_at, expires_at_s }
    }

    /// Whether its household still remembers the id.
    pub fn is_remembered(&self, at: Timestamp) -> bool {
        at.as_second() < forgotten_at_s(self.received_at)
    }
}

/// The record of a batch id.
pub fn to_record(batch: &ProcessedBatch) -> Record {
    Record::new()
        .with("batch_id", key(batch).pk)
        .with("hardware_id", batch.hardware_id.to_string())
        .with(RECEIVED_AT, second_text(batch.received_at))
        .with(EXPIRATION_TIME, Number::from(batch.expires_at_s))
        .with_some(FAMILY_ID, batch.household.map(|household| household.to_string()))
}

/// The batch id of a record.
pub fn from_record(record: &Record) -> Result<ProcessedBatch> {
    let fields = Fields(record);
    let key = fields.text("batch_id")?;
    let (owner, batch_id) = match key.rsplit_once(SEPARATOR) {
        Some((owner, batch_id)) => (Some(owner), batch_id),
        None => (None, key),
    };
    let household = fields.optional_id(FAMILY_ID)?;
    if owner.is_some_and(|owner| owner != owner_text(household)) {
        return Err(record.misfit("batch_id names another household than family_id"));
    }
    let misfit = |error| record.misfit(format!("batch_id {error}"));
    Ok(ProcessedBatch {
        batch_id: BatchId::parse(batch_id).map_err(misfit)?,
        household,
        names_household: owner.is_some(),
        hardware_id: fields.id("hardware_id")?,
        received_at: fields.time(RECEIVED_AT)?,
        expires_at_s: fields.whole(EXPIRATION_TIME)?,
    })
}

/// That the record has not changed since.
pub(crate) fn is_still(seen: &ProcessedBatch) -> Vec<Condition> {
    let expiration = Number::from(seen.expires_at_s);
    vec![
        belongs_to(seen.household),
        Condition::Equals(RECEIVED_AT.into(), second_text(seen.received_at).into()),
        Condition::Equals(EXPIRATION_TIME.into(), expiration.into()),
    ]
}

fn forgotten_at_s(received_at: Timestamp) -> i64 {
    received_at.as_second() + BATCH_ID_LIFETIME.as_secs()
}

pub(crate) fn key(batch: &ProcessedBatch) -> Key {
    let ProcessedBatch { batch_id, household, .. } = batch;
    let pk = if batch.names_household {
        format!("{}{SEPARATOR}{batch_id}", owner_text(*household))
    } else {
        batch_id.to_string()
    };
    Key::new(pk, "")
}

fn owner_text(household: Option<HouseholdId>) -> String {
    household.map_or_else(|| OPERATOR.to_owned(), |household| household.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICE: &str = "AA:BB:CC:DD:EE:FF";
    const BATCH: &str =
        "AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000";
    const FAMILY: &str = "f47ac10b-58cc-4372-a567-0e02b2c3d479";

    fn of_the_operator() -> ProcessedBatch {
        ProcessedBatch {
            batch_id: BatchId::parse(BATCH).unwrap(),
            household: None,
            names_household: false,
            hardware_id: DEVICE.parse().unwrap(),
            received_at: "2024-01-15T14:22:00Z".parse().unwrap(),
            expires_at_s: 1_707_235_320,
        }
    }

    /// Seed 002's example record.
    fn example() -> Record {
        Record::new()
            .with("batch_id", BATCH)
            .with("hardware_id", DEVICE)
            .with("received_at", "2024-01-15T14:22:00Z")
            .with("expiration_time", Number::from(1_707_235_320))
    }

    #[test]
    fn a_batch_id_is_seed_002s_example_field_for_field() {
        assert_eq!(to_record(&of_the_operator()), example());
        assert_eq!(from_record(&example()).unwrap(), of_the_operator());
    }

    #[test]
    fn a_batch_id_is_forgotten_30_days_after_the_second_of_its_receipt() {
        let at = "2024-01-15T14:22:00.999Z".parse().unwrap();
        let batch_id = BatchId::parse(BATCH).unwrap();
        let batch = ProcessedBatch::received(batch_id, None, DEVICE.parse().unwrap(), at);
        let expires_at_s = 1_705_328_520 + 30 * 86_400;
        assert_eq!(batch, ProcessedBatch { expires_at_s, ..of_the_operator() });
    }

    #[test]
    fn a_household_is_named_in_an_attribute_of_its_own_and_in_the_key_only_if_need_be() {
        let plain =
            ProcessedBatch { household: Some(FAMILY.parse().unwrap()), ..of_the_operator() };
        let expected = example().with("family_id", FAMILY);
        assert_eq!(to_record(&plain), expected);
        assert_eq!(from_record(&expected).unwrap(), plain);

        let second = ProcessedBatch { names_household: true, ..plain };
        let expected = expected.with("batch_id", format!("{FAMILY}#{BATCH}"));
        assert_eq!(to_record(&second), expected);
        assert_eq!(from_record(&expected).unwrap(), second);

        let operators = ProcessedBatch { names_household: true, ..of_the_operator() };
        let expected = example().with("batch_id", format!("operator#{BATCH}"));
        assert_eq!(to_record(&operators), expected);
        assert_eq!(from_record(&expected).unwrap(), operators);
    }

    #[test]
    fn a_key_that_names_another_household_is_damaged() {
        let record = example().with("batch_id", format!("{FAMILY}#{BATCH}"));
        let error = from_record(&record).unwrap_err().to_string();
        assert!(error.contains("batch_id names another household"), "{error}");
    }
}
