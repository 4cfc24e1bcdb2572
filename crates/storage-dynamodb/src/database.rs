//! The tables and requests to them, shared by all parts of the engine.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};
use jiff::SignedDuration;
use larder_storage::{Clock, Result, StorageError};
use larder_storage_item::{Key, Record, Table};
use tokio::sync::OnceCell;

use crate::attributes::{Attributes, from_key, to_record};
use crate::background::Background;
use crate::names::{NamedTable, TableNames};
use crate::randomness::Randomness;
use crate::retry::RetryBudget;
use crate::units::Units;

/// The maximal number of keys in one request.
pub(crate) const MAX_BATCH: usize = 100;

/// How much longer change records are stored than they are shown.
const SWEEP_MARGIN_S: i64 = 24 * 60 * 60;

/// The state that the engine and its poller share.
pub(crate) struct Database {
    pub(crate) client: Client,
    pub(crate) names: TableNames,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Randomness,
    pub(crate) deadline: Duration,
    pub(crate) retention: SignedDuration,
    pub(crate) units: Arc<Units>,
    pub(crate) background: Background,
    /// The endpoint's limit of actions per transaction, once it is known.
    pub(crate) max_actions: OnceCell<usize>,
}

/// The key of a record in one table.
pub(crate) type TableKey<'a> = (NamedTable<'a>, Key);

impl Database {
    pub(crate) fn retries(&self) -> RetryBudget<'_> {
        RetryBudget::new(&self.random, self.deadline)
    }

    pub(crate) fn now_s(&self) -> i64 {
        self.clock.now().as_second()
    }

    /// When a change record of now expires: later than it is shown, so that no reader sees half of
    /// one.
    pub(crate) fn journal_expiry_s(&self) -> i64 {
        self.now_s().saturating_add(self.retention.as_secs()).saturating_add(SWEEP_MARGIN_S)
    }

    pub(crate) fn counting(&self) -> Option<ReturnConsumedCapacity> {
        self.units.is_counting().then_some(ReturnConsumedCapacity::Total)
    }

    /// Reads one record as the last write left it, expired or not.
    pub(crate) async fn get(&self, table: NamedTable<'_>, key: &Key) -> Result<Option<Record>> {
        let request = self
            .client
            .get_item()
            .table_name(table.name)
            .set_key(Some(from_key(table.keys, key)))
            .consistent_read(true)
            .set_return_consumed_capacity(self.counting());
        let answer = self.retries().send(|| request.clone().send()).await?;
        self.units.read(answer.consumed_capacity(), 1, true);
        answer.item.map(|item| to_record(table.keys, item)).transpose()
    }

    /// Reads many records, each once; absent ones are omitted.
    pub(crate) async fn get_many<'n>(
        &self,
        wanted: &[TableKey<'n>],
        consistent: bool,
    ) -> Result<HashMap<TableKey<'n>, Record>> {
        let mut found = HashMap::with_capacity(wanted.len());
        let mut retries = self.retries();
        for chunk in wanted.chunks(MAX_BATCH) {
            let mut rest = keys_by_table(chunk, consistent)?;
            while !rest.is_empty() {
                let asked = count(&rest);
                let request = self
                    .client
                    .batch_get_item()
                    .set_request_items(Some(rest))
                    .set_return_consumed_capacity(self.counting());
                let answer = retries.send(|| request.clone().send()).await?;
                let answered = asked.saturating_sub(answer.unprocessed_keys().map_or(0, count));
                self.units.read(answer.consumed_capacity(), answered, consistent);
                let mut nothing_new = true;
                for (name, items) in answer.responses.unwrap_or_default() {
                    let table = chunk.iter().map(|(table, _)| *table).find(|it| it.name == name);
                    // Ignores records that were not requested.
                    let Some(table) = table else { continue };
                    for item in items {
                        nothing_new = false;
                        let record = to_record(table.keys, item)?;
                        let key = table.key_of(&record).ok_or_else(|| record.misfit("no key"))?;
                        found.insert((table, key), record);
                    }
                }
                rest = answer.unprocessed_keys.unwrap_or_default();
                // The rest of a large answer is read at once; a throttled table after a pause.
                if nothing_new && !rest.is_empty() && !retries.wait().await {
                    return Err(StorageError::Unavailable(
                        "the tables are too busy to read".into(),
                    ));
                }
            }
        }
        Ok(found)
    }

    /// The record, unless it has expired.
    pub(crate) fn live(table: Table, record: Record, now_s: i64) -> Option<Record> {
        table.expiry(&record).is_none_or(|expiry| now_s < expiry).then_some(record)
    }
}

fn keys_by_table(
    wanted: &[TableKey<'_>],
    consistent: bool,
) -> Result<HashMap<String, KeysAndAttributes>> {
    let mut tables: HashMap<&str, Vec<Attributes>> = HashMap::new();
    for (table, key) in wanted {
        tables.entry(table.name).or_default().push(from_key(table.keys, key));
    }
    let request = |(table, keys): (&str, Vec<Attributes>)| {
        let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(consistent);
        let keys = keys.build().map_err(|error| StorageError::Defect(error.to_string()))?;
        Ok((table.to_owned(), keys))
    };
    tables.into_iter().map(request).collect()
}

fn count(wanted: &HashMap<String, KeysAndAttributes>) -> usize {
    wanted.values().map(|table| table.keys().len()).sum()
}
