//! Rules for transactions, independent of the store's content. `DynamoDB`'s limits, and so those of
//! every engine.

use std::collections::HashSet;

use larder_storage::{Result, StorageError};

use crate::{
    Action, Change, Key, KeyNames, MAX_ACTIONS, MAX_JOURNALED_DEPTH, MAX_RECORD_BYTES,
    MAX_RECORD_DEPTH, Record, Table, Transaction, Value,
};

/// The limits for the parts of a key.
const MAX_PK_BYTES: usize = 2048;
const MAX_SK_BYTES: usize = 1024;

/// The limit for all records of a transaction together.
pub const MAX_TRANSACTION_BYTES: usize = 4 * 1024 * 1024;

impl Transaction {
    /// Checks everything that needs no reads. New records are checked by
    /// [`Transaction::images`](crate::Transaction::images).
    pub fn validate(&self) -> Result<()> {
        let actions = &self.actions;
        if actions.len() > MAX_ACTIONS {
            let found = actions.len();
            return Err(StorageError::TooLarge(format!(
                "{found} actions, where {MAX_ACTIONS} are the most"
            )));
        }
        if self.actor.is_empty() {
            return Err(StorageError::Defect("a transaction without an actor".into()));
        }
        check_records(actions.iter().filter_map(|action| match action {
            Action::Put { table, record, .. } => Some((*table, record)),
            _ => None,
        }))?;
        let mut touched: HashSet<(Table, Key)> = HashSet::with_capacity(actions.len());
        for (at, action) in actions.iter().enumerate() {
            match action {
                Action::Put { embed: Some((_, source)), .. } => check_embed(actions, at, *source)?,
                Action::Update { table, changes, .. } => {
                    changes.iter().try_for_each(|change| keeps_the_key(*table, change))?;
                }
                _ => {}
            }
            let (table, key) = action.target()?;
            check_key_parts(table, &key)?;
            if !touched.insert((table, key)) {
                return Err(StorageError::Defect("a transaction touches a record twice".into()));
            }
        }
        Ok(())
    }
}

fn check_key_parts(table: Table, key: &Key) -> Result<()> {
    if !table.fits(key) {
        return Err(StorageError::Defect("a key with an empty part".into()));
    }
    if key.pk.len() > MAX_PK_BYTES || key.sk.len() > MAX_SK_BYTES {
        return Err(StorageError::TooLarge("a key".into()));
    }
    Ok(())
}

fn keeps_the_key(table: Table, change: &Change) -> Result<()> {
    let (Change::Set(name, _) | Change::Add(name, _) | Change::Remove(name)) = change;
    let KeyNames { pk, sk } = table.key_names();
    if name == pk || sk.is_some_and(|sk| name == sk) {
        return Err(StorageError::Defect("an update of a key".into()));
    }
    Ok(())
}

fn check_embed(actions: &[Action], at: usize, source: usize) -> Result<()> {
    match actions.get(source) {
        Some(Action::Put { embed: None, .. } | Action::Update { .. } | Action::Delete { .. })
            if source != at =>
        {
            Ok(())
        }
        _ => Err(StorageError::Defect(
            "an embedded record that no other action leaves behind".into(),
        )),
    }
}

/// Checks the size and depth of records, and the size of them all.
pub(crate) fn check_records<'r>(
    mut records: impl Iterator<Item = (Table, &'r Record)>,
) -> Result<()> {
    let bytes = records
        .try_fold(0, |sum, (table, record)| Ok::<_, StorageError>(sum + size(table, record)?))?;
    if bytes > MAX_TRANSACTION_BYTES {
        return Err(StorageError::TooLarge(format!(
            "a transaction of {bytes} bytes, where {MAX_TRANSACTION_BYTES} are the most"
        )));
    }
    Ok(())
}

/// The size of a record that is neither too large nor too deep.
fn size(table: Table, record: &Record) -> Result<usize> {
    // Few records are so deep that it matters whether they are journaled.
    let bytes = map_bytes(record, MAX_JOURNALED_DEPTH + 1).or_else(|| {
        let is_journaled = table.key_of(record).is_none_or(|key| table.is_journaled(&key));
        if is_journaled { None } else { record.counted_bytes() }
    });
    let bytes = bytes.ok_or_else(|| StorageError::TooLarge("a record nested too deep".into()))?;
    if bytes > MAX_RECORD_BYTES {
        return Err(StorageError::TooLarge(format!(
            "a record of {bytes} bytes, where {MAX_RECORD_BYTES} are the most"
        )));
    }
    Ok(bytes)
}

impl Record {
    /// The size as `DynamoDB` counts it; `None` if nested deeper than [`MAX_RECORD_DEPTH`].
    pub fn counted_bytes(&self) -> Option<usize> {
        map_bytes(self, MAX_RECORD_DEPTH + 1)
    }
}

fn map_bytes(record: &Record, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    record.iter().map(|(name, value)| Some(name.len() + value_bytes(value, depth)?)).sum()
}

fn value_bytes(value: &Value, depth: usize) -> Option<usize> {
    Some(match value {
        Value::S(text) => text.len(),
        Value::B(bytes) => bytes.len(),
        // Two digits a byte and one for the exponent.
        Value::N(number) => {
            number.mantissa().unsigned_abs().checked_ilog10().unwrap_or(0) as usize / 2 + 2
        }
        Value::Bool(_) | Value::Null => 1,
        Value::L(elements) => {
            let depth = depth.checked_sub(1)?;
            let content: Option<usize> = elements.iter().map(|one| value_bytes(one, depth)).sum();
            3 + elements.len() + content?
        }
        Value::M(record) => 3 + record.iter().len() + map_bytes(record, depth)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of which values nest so deep.
    fn nested(key: &Key, depth: usize) -> Record {
        let value = (0..depth).fold(Value::Null, |value, _| Value::L(vec![value]));
        Table::InventoryManagement.record_with(key).with("value", value)
    }

    #[test]
    fn records_nest_as_deep_as_a_change_record_that_holds_them_may() {
        let journaled = Key::new("USER#1", "ITEM#1");
        let own_affair = Key::new("USER#1", "IDEMPOTENCY#1");
        let fits = |key: &Key, depth| {
            check_records([(Table::InventoryManagement, &nested(key, depth))].into_iter()).is_ok()
        };
        assert!(fits(&journaled, MAX_JOURNALED_DEPTH) && !fits(&journaled, MAX_RECORD_DEPTH));
        assert!(fits(&own_affair, MAX_RECORD_DEPTH) && !fits(&own_affair, MAX_RECORD_DEPTH + 1));
    }
}
