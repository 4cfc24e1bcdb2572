//! Carrying out one transaction: read and decide first, write last.

use larder_storage::Result;
use larder_storage_item::{
    Action, Committed, Condition, Key, Record, Table, TransactError, Transaction,
};

use super::Writer;
use super::apply::Author;
use super::change::{change, holds};
use super::validate::{check_key, check_records};
use super::writer::Failure;
use crate::records::{self, Stored};

/// An action with the record that it found.
struct Found {
    table: Table,
    key: Key,
    /// What lies in the row, expired or not.
    stored: Option<Stored>,
    visible: bool,
}

impl Found {
    fn current(&self) -> Option<&Record> {
        self.stored.as_ref().filter(|_| self.visible).map(|stored| &stored.record)
    }
}

impl Writer {
    pub(super) fn transact(&mut self, transaction: &Transaction) -> Result<Committed, Failure> {
        let now_s = self.clock.now().as_second();
        let mut found = Vec::with_capacity(transaction.actions.len());
        for (at, action) in transaction.actions.iter().enumerate() {
            let (table, key, when) = parts(action)?;
            let stored = match self.recent.find(table, &key)? {
                Some(stored) => Some(stored),
                None => records::get(&self.connection, table, &key)?,
            };
            let visible = stored.as_ref().is_some_and(|stored| stored.visible(now_s));
            let one = Found { table, key, stored, visible };
            if !when.iter().all(|condition| holds(condition, one.current())) {
                let current = one.current().cloned().map(Box::new);
                return Err(Failure::Clean(TransactError::ConditionFailed { action: at, current }));
            }
            found.push(one);
        }
        let images = images(&transaction.actions, &found)?;

        let author = Author { actor: &transaction.actor, at_us: transaction.at.as_microsecond() };
        if self.delayed.is_some() {
            self.shifts.push(Vec::new());
        }
        for ((action, one), image) in transaction.actions.iter().zip(&found).zip(&images) {
            // An expired record that is to be deleted is left to the sweep: for everyone it is gone already.
            let deletes_nothing = matches!(action, Action::Delete { .. }) && !one.visible;
            if deletes_nothing || matches!(action, Action::Check { .. }) {
                continue;
            }
            let old = (one.stored.as_ref(), one.visible);
            self.apply(author, (one.table, &one.key), old, image.as_ref())
                .map_err(Failure::Dirty)?;
        }
        Ok(Committed { images })
    }
}

fn parts(action: &Action) -> Result<(Table, Key, &[Condition])> {
    match action {
        Action::Put { table, record, when, .. } => Ok((*table, check_key(record)?, when)),
        Action::Update { table, key, when, .. }
        | Action::Delete { table, key, when }
        | Action::Check { table, key, when } => Ok((*table, key.clone(), when)),
    }
}

/// What each action leaves behind.
fn images(actions: &[Action], found: &[Found]) -> Result<Vec<Option<Record>>> {
    let mut images = Vec::with_capacity(actions.len());
    for (action, one) in actions.iter().zip(found) {
        images.push(match action {
            Action::Put { record, .. } => Some(record.clone()),
            Action::Update { changes, .. } => {
                let mut record = one.current().cloned().unwrap_or_else(|| {
                    Record::new().with("PK", one.key.pk.as_str()).with("SK", one.key.sk.as_str())
                });
                changes.iter().try_for_each(|step| change(&mut record, step))?;
                Some(record)
            }
            Action::Delete { .. } | Action::Check { .. } => None,
        });
    }
    for (at, action) in actions.iter().enumerate() {
        if let Action::Put { embed: Some((name, source)), .. } = action
            && let Some(embedded) = images.get(*source).cloned().flatten()
            && let Some(image) = &mut images[at]
        {
            image.set(name.clone(), larder_storage_item::Value::M(embedded));
        }
    }
    check_records(images.iter().flatten())?;
    Ok(images)
}
