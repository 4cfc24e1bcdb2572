//! Transactions of the reference engine.

use std::collections::HashSet;

use larder_storage::StorageError;
use larder_storage_item::{
    Action, Change, Committed, Condition, JournalEntry, Key, MAX_ACTIONS, MAX_RECORD_BYTES, Number,
    Record, Table, TransactError, Transaction, Value,
};

use super::State;

impl State {
    pub(super) fn transact(
        &mut self,
        transaction: Transaction,
        now_second: i64,
    ) -> Result<Committed, TransactError> {
        let Transaction { actor, at, actions } = transaction;
        check_limits(&actions)?;
        for (number, action) in actions.iter().enumerate() {
            let (table, key, when) = target(action)?;
            let current = self.live(table, &key, now_second);
            if !when.iter().all(|condition| holds(condition, current)) {
                let current = current.cloned().map(Box::new);
                return Err(TransactError::ConditionFailed { action: number, current });
            }
        }
        let mut images = Vec::new();
        for action in &actions {
            let (table, key, _) = target(action)?;
            images.push(image(action, table, &key, self.live(table, &key, now_second))?);
        }
        for (number, action) in actions.iter().enumerate() {
            if let Action::Put { embed: Some((name, other)), .. } = action {
                let embedded = images.get(*other).cloned().flatten().ok_or_else(no_image)?;
                let record = images[number].as_mut().ok_or_else(no_image)?;
                record.set(name.clone(), Value::M(embedded));
            }
        }
        if images.iter().flatten().any(|record| record_bytes(record) > MAX_RECORD_BYTES) {
            return Err(StorageError::TooLarge("a record has at most 400 KB".to_owned()).into());
        }
        for (action, new) in actions.iter().zip(&images) {
            let (table, key, _) = target(action)?;
            let old = self.live(table, &key, now_second).cloned();
            let records = self.tables.entry(table).or_default();
            match (action, new) {
                (Action::Check { .. }, _) => continue,
                (_, Some(new)) => drop(records.insert(key.clone(), new.clone())),
                (_, None) => drop(records.remove(&key)),
            }
            if old != *new && table.is_journaled(&key) {
                self.record_change(table, key, old, new.clone(), (actor.clone(), at));
            }
        }
        Ok(Committed { images })
    }

    fn record_change(
        &mut self,
        table: Table,
        key: Key,
        old: Option<Record>,
        new: Option<Record>,
        (actor, at): (String, jiff::Timestamp),
    ) {
        let sequence = self.journal.last().map_or(1, |last| last.sequence + 1);
        if let Some(listener) = self.listeners.get(&(table, key.pk.clone())) {
            listener.send_replace(sequence);
        }
        self.journal.push(JournalEntry { sequence, at, actor, table, key, old, new });
    }
}

fn no_image() -> TransactError {
    StorageError::Defect("an action embeds a record that is not left behind".to_owned()).into()
}

fn target(action: &Action) -> Result<(Table, Key, &[Condition]), TransactError> {
    match action {
        Action::Put { table, record, when, .. } => match table.key_of(record) {
            Some(key) if table.fits(&key) => Ok((*table, key, when)),
            _ => Err(StorageError::Defect("a record without a key".to_owned()).into()),
        },
        Action::Update { table, key, when, .. }
        | Action::Delete { table, key, when }
        | Action::Check { table, key, when } => {
            if !table.fits(key) {
                return Err(StorageError::Defect("a key with an empty part".to_owned()).into());
            }
            Ok((*table, key.clone(), when))
        }
    }
}

fn check_limits(actions: &[Action]) -> Result<(), TransactError> {
    if actions.len() > MAX_ACTIONS {
        let reason = format!("a transaction has at most {MAX_ACTIONS} actions");
        return Err(StorageError::TooLarge(reason).into());
    }
    let mut touched = HashSet::new();
    for action in actions {
        let (table, key, _) = target(action)?;
        if !touched.insert((table, key)) {
            let reason = "a transaction touches a record twice".to_owned();
            return Err(StorageError::Defect(reason).into());
        }
    }
    Ok(())
}

fn holds(condition: &Condition, current: Option<&Record>) -> bool {
    let number = |name: &str| current.and_then(|record| record.number(name));
    match condition {
        Condition::Exists => current.is_some(),
        Condition::NotExists => current.is_none(),
        Condition::Equals(name, value) => current.and_then(|r| r.get(name)) == Some(value),
        Condition::Absent(name) => current.is_some_and(|record| record.get(name).is_none()),
        Condition::AtLeast(name, least) => number(name).is_some_and(|held| held >= *least),
        Condition::AtMost(name, most) => number(name).is_some_and(|held| held <= *most),
    }
}

/// The record after the action, before embedding.
fn image(
    action: &Action,
    table: Table,
    key: &Key,
    current: Option<&Record>,
) -> Result<Option<Record>, TransactError> {
    match action {
        Action::Put { record, .. } => Ok(Some(record.clone())),
        Action::Delete { .. } | Action::Check { .. } => Ok(None),
        Action::Update { changes, .. } => {
            let mut record = current.cloned().unwrap_or_else(|| table.record_with(key));
            for change in changes {
                apply(change, &mut record)?;
            }
            Ok(Some(record))
        }
    }
}

fn apply(change: &Change, record: &mut Record) -> Result<(), TransactError> {
    match change {
        Change::Set(name, value) => record.set(name.clone(), value.clone()),
        Change::Remove(name) => drop(record.remove(name)),
        Change::Add(name, by) => {
            let held = record.number(name).unwrap_or(Number::ZERO);
            let sum = held.checked_add(*by);
            let sum = sum.map_err(|error| StorageError::TooLarge(error.to_string()))?;
            record.set(name.clone(), sum);
        }
    }
    Ok(())
}

fn record_bytes(record: &Record) -> usize {
    record.iter().map(|(name, value)| name.len() + value_bytes(value)).sum()
}

/// Roughly as DynamoDB counts; only sizes near the limit matter.
fn value_bytes(value: &Value) -> usize {
    match value {
        Value::S(text) => text.len(),
        Value::B(bytes) => bytes.len(),
        Value::N(number) => number.to_string().len() / 2 + 1,
        Value::Bool(_) | Value::Null => 1,
        Value::L(values) => 3 + values.iter().map(|value| 1 + value_bytes(value)).sum::<usize>(),
        Value::M(record) => 3 + record.iter().len() + record_bytes(record),
    }
}
