//! Executing one transaction: read and decide first, write last.

use std::sync::Arc;

use larder_storage::Result;
use larder_storage_item::{
    Action, Committed, Condition, Key, Record, Table, TransactError, Transaction,
};

use super::Writer;
use super::apply::Author;
use super::writer::Failure;
use crate::records::{self, Place};

/// An action with the record that it found.
struct Found {
    table: Table,
    key: Key,
    place: Place,
    visible: bool,
}

impl Found {
    fn current(&self) -> Option<&Record> {
        self.place.stored().filter(|_| self.visible).map(|stored| &stored.record)
    }
}

impl Writer {
    pub(super) fn transact(
        &mut self,
        transaction: &Transaction,
    ) -> Result<Result<Committed, TransactError>, Failure> {
        let now_s = self.clock.now().as_second();
        let mut found = Vec::with_capacity(transaction.actions.len());
        for (at, action) in transaction.actions.iter().enumerate() {
            let (table, key) = action.target()?;
            let is_expected = !action.conditions().contains(&Condition::NotExists);
            let place = self.place((table, &key), is_expected)?;
            let visible = place.stored().is_some_and(|stored| stored.visible(now_s));
            let one = Found { table, key, place, visible };
            if !action.conditions().iter().all(|condition| condition.holds(one.current())) {
                let current = one.current().cloned().map(Box::new);
                return Ok(Err(TransactError::ConditionFailed { action: at, current }));
            }
            found.push(one);
        }
        let images = transaction.images(|at| found[at].current())?;

        let author = Author { actor: &transaction.actor, at_us: transaction.at.as_microsecond() };
        for ((action, one), image) in transaction.actions.iter().zip(&found).zip(&images) {
            // Deleting an expired record is left to the sweep: it is invisible already.
            let deletes_nothing = matches!(action, Action::Delete { .. }) && !one.visible;
            if deletes_nothing || matches!(action, Action::Check { .. }) {
                continue;
            }
            let old = (&one.place, one.visible);
            self.apply(author, (one.table, &one.key), old, image.as_ref())
                .map_err(Failure::Dirty)?;
        }
        Ok(Ok(Committed { images }))
    }

    /// The place of a record, from the cache or read into it.
    fn place(&mut self, (table, key): (Table, &Key), is_expected: bool) -> Result<Place> {
        if let Some(stored) = self.recent.find(table, key) {
            return Ok(Place::Taken(stored));
        }
        let place = records::place(&self.connection, (table, key), is_expected)?;
        if let Place::Taken(stored) = &place {
            self.recent.remember(table, key, Arc::clone(stored));
        }
        Ok(place)
    }
}
