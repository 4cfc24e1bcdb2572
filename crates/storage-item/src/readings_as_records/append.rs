//! Keeping readings: each with its batch id in one transaction, so that it counts once.

use futures_util::{StreamExt as _, stream::FuturesOrdered};
use jiff::Timestamp;
use larder_domain::{HouseholdId, Reading};
use larder_storage::{ReadingState, Result, StorageError};

use crate::{
    Action, AppendReadings, Change, Condition, Number, ProcessedBatch, Record, RecordEngine, Table,
    TransactError, Transaction,
    layout::{processed_batch, reading},
};

/// How many readings of one request are written at the same time.
const AT_ONCE: usize = 16;
/// How often a contended batch id is retried. Each time one of them has succeeded.
const MAX_ATTEMPTS: usize = 16;
/// Readings are not journaled, so their actor is never read.
const ACTOR: &str = "device";

pub(super) async fn append(
    engine: &impl RecordEngine,
    append: &AppendReadings,
) -> Result<Vec<ReadingState>> {
    let AppendReadings { household, readings, at } = append;
    let mut states = Ok(Vec::with_capacity(readings.len()));
    let mut waiting = readings.iter().map(|reading| keep(engine, reading, *household, *at));
    let mut under_way: FuturesOrdered<_> = waiting.by_ref().take(AT_ONCE).collect();
    while let Some(outcome) = under_way.next().await {
        match (&mut states, outcome) {
            (Ok(states), Ok(state)) => {
                states.push(state);
                under_way.extend(waiting.next());
            }
            (Ok(_), Err(error)) => states = Err(error),
            // After a failure nothing new is started, but running writes complete.
            (Err(_), _) => {}
        }
    }
    states
}

/// Stores one reading, unless its batch id is remembered.
async fn keep(
    engine: &impl RecordEngine,
    reading: &Reading,
    household: Option<HouseholdId>,
    at: Timestamp,
) -> Result<ReadingState> {
    let record = reading::to_record(reading)?;
    let (batch_id, device) = (reading.batch_id.clone(), reading.hardware_id);
    let batch = ProcessedBatch::received(batch_id, household, device, at);
    let mut in_the_way = None;
    for _ in 0..MAX_ATTEMPTS {
        let mut actions = claim(&batch, in_the_way.as_ref());
        actions.push(put(Table::DeviceReadings, record.clone(), Vec::new()));
        let transaction = Transaction { actor: ACTOR.to_owned(), at, actions };
        let found = match engine.transact(transaction).await {
            Ok(_) => return Ok(ReadingState::Acknowledged),
            Err(TransactError::ConditionFailed { current, .. }) => current,
            Err(TransactError::Storage(error)) => return Err(error),
        };
        // Absent if it was forgotten between the refusal and this read.
        in_the_way = found.map(|record| processed_batch::from_record(&record)).transpose()?;
        let is_ours = |held: &ProcessedBatch| held.household == household;
        if in_the_way.as_ref().is_some_and(|held| is_ours(held) && held.is_remembered(at)) {
            return Ok(ReadingState::Duplicate);
        }
    }
    Err(StorageError::Contention("keeping a reading".to_owned()))
}

/// The action that claims a batch id, given the record that held the plain key.
///
/// Only its own household ever overwrites a plain key that is remembered, and the plain key lives
/// as long as any household remembers the id. So if it is free, all have forgotten the id.
fn claim(batch: &ProcessedBatch, in_the_way: Option<&ProcessedBatch>) -> Vec<Action> {
    let table = Table::ProcessedBatches;
    match in_the_way {
        None => {
            vec![put(table, processed_batch::to_record(batch), vec![Condition::NotExists])]
        }
        // Ours has expired, and exists only for another household.
        Some(held) if held.household == batch.household => {
            let when = processed_batch::is_still(held);
            vec![put(table, processed_batch::to_record(batch), when)]
        }
        Some(held) => {
            let beside = ProcessedBatch { names_household: true, ..batch.clone() };
            let until_s = held.expires_at_s.max(batch.expires_at_s);
            let outlive = Action::Update {
                table,
                key: processed_batch::key(held),
                when: processed_batch::is_still(held),
                changes: vec![Change::Set(
                    processed_batch::EXPIRATION_TIME.into(),
                    Number::from(until_s).into(),
                )],
            };
            let beside = processed_batch::to_record(&beside);
            vec![put(table, beside, vec![Condition::NotExists]), outlive]
        }
    }
}

const fn put(table: Table, record: Record, when: Vec<Condition>) -> Action {
    Action::Put { table, record, when, embed: None }
}
