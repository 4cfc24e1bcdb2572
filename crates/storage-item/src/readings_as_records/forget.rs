//! Forgetting the readings of a device, each with its batch id.

use jiff::Timestamp;
use larder_domain::{HardwareId, HouseholdId};
use larder_storage::Result;

use crate::{
    Action, MAX_ACTIONS, MAX_QUERY_LIMIT, ProcessedBatch, Query, RecordEngine, SortKeys, Table,
    TransactError, Transaction,
    layout::{
        processed_batch::{self, key},
        reading,
    },
};

/// Readings are not journaled, so their actor is never read.
const ACTOR: &str = "system";
/// A reading, and its batch id under either of its keys.
const ACTIONS_EACH: usize = 3;

pub(super) async fn forget(
    engine: &impl RecordEngine,
    device: HardwareId,
    household: Option<HouseholdId>,
    limit: usize,
) -> Result<usize> {
    let (table, limit) = (Table::DeviceReadings, limit.min(MAX_QUERY_LIMIT));
    let query = Query::new(table, device.to_string(), SortKeys::Any, limit);
    let found = engine.query(&query).await?.records;
    let at_once = (engine.max_actions().await?.min(MAX_ACTIONS) / ACTIONS_EACH).max(1);
    for chunk in found.chunks(at_once) {
        let mut actions = Vec::new();
        let mut batches = Vec::new();
        for record in chunk {
            if let Some(key) = table.key_of(record) {
                actions.push(Action::Delete { table, key, when: Vec::new() });
            }
            let batch_id = reading::from_record(record)?.batch_id;
            let plain =
                ProcessedBatch::received(batch_id, household, device, Timestamp::UNIX_EPOCH);
            let beside = ProcessedBatch { names_household: true, ..plain.clone() };
            batches.extend([key(&plain), key(&beside)]);
        }
        batches.sort();
        batches.dedup();
        // The plain key may be another household's, whose id it is, too.
        let held = engine.get_many(Table::ProcessedBatches, &batches).await?;
        for record in held.into_iter().flatten() {
            let batch = processed_batch::from_record(&record)?;
            if batch.household == household && batch.hardware_id == device {
                let (table, key) = (Table::ProcessedBatches, key(&batch));
                let when = processed_batch::is_still(&batch);
                actions.push(Action::Delete { table, key, when });
            }
        }
        let transaction =
            Transaction { actor: ACTOR.to_owned(), at: Timestamp::UNIX_EPOCH, actions };
        match engine.transact(transaction).await {
            // A condition fails if one was sent again meanwhile: the next look finds it.
            Ok(_) | Err(TransactError::ConditionFailed { .. }) => {}
            Err(TransactError::Storage(error)) => return Err(error),
        }
    }
    Ok(found.len())
}
