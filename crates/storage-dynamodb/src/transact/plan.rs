//! The request for a change set: its actions in their order, then the change records.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::TransactWriteItem;
use larder_storage::Result;
use larder_storage_item::{Action, Key, Record, Transaction};

use super::item::{Guard, check_item, delete_item, nobody_wrote, put_item, update_item};
use super::{Partition, Target};
use crate::database::Database;
use crate::expression::{Conditions, Placeholders, update};
use crate::journal::entry::NewEntry;
use crate::journal::{Place, place};
use crate::tables::BY_RECORD;
use crate::units::WriteUnits;

/// A change set with the records that it read.
pub(super) struct Reading<'a> {
    pub(super) transaction: &'a Transaction,
    pub(super) targets: &'a [Target],
    pub(super) found: &'a HashMap<usize, Record>,
    pub(super) now_s: i64,
}

/// The purpose of an item of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// An action; `guarded` if it also requires that its record is as it was read.
    Action { at: usize, guarded: bool },
    /// A change record.
    Log,
}

/// The items of one request.
pub(super) struct Plan {
    pub(super) items: Vec<TransactWriteItem>,
    /// The purpose of each item.
    pub(super) parts: Vec<Part>,
    /// How large each item is, as DynamoDB counts.
    pub(super) bytes: Vec<usize>,
    /// The units that the plan consumes.
    pub(super) units: WriteUnits,
    newest: HashMap<Partition, Place>,
}

impl Plan {
    /// Everything that the change set does.
    pub(super) fn new(
        database: &Database,
        reading: &Reading<'_>,
        images: &[Option<Record>],
        next: impl Fn(&Partition) -> Place,
    ) -> Result<Self> {
        let mut plan = Self::empty();
        for (at, image) in images.iter().enumerate() {
            plan.push_action(database, reading, at, image.as_ref())?;
        }
        plan.push_log(database, reading, images, next)?;
        Ok(plan)
    }

    /// Only the conditions of the change set.
    pub(super) fn of_checks(
        database: &Database,
        reading: &Reading<'_>,
        next: impl Fn(&Partition) -> Place,
    ) -> Result<Self> {
        let mut plan = Self::empty();
        for at in 0..reading.targets.len() {
            plan.push_check(database, reading, at)?;
        }
        for partition in super::written(reading.transaction, reading.targets) {
            plan.push_unchanged(database, &partition, next(&partition))?;
        }
        Ok(plan)
    }

    pub(super) fn empty() -> Self {
        let units = WriteUnits::default();
        Self { items: vec![], parts: vec![], bytes: vec![], units, newest: HashMap::new() }
    }

    /// The plan's last change in a partition, if there is one.
    pub(super) fn newest(&self, partition: &Partition) -> Option<Place> {
        self.newest.get(partition).copied()
    }

    fn push(&mut self, item: TransactWriteItem, part: Part, bytes: usize, units: WriteUnits) {
        self.items.push(item);
        self.parts.push(part);
        self.bytes.push(bytes);
        self.units += units;
    }

    fn push_action(
        &mut self,
        database: &Database,
        reading: &Reading<'_>,
        at: usize,
        image: Option<&Record>,
    ) -> Result<()> {
        let (action, target) = (&reading.transaction.actions[at], &reading.targets[at]);
        let old = reading.found.get(&at);
        if matches!(action, Action::Check { .. }) || (target.journaled && old == image) {
            return self.push_check(database, reading, at);
        }
        let table = database.names.of(target.table);
        let (guard, guarded) = guard(action, target, old, reading.now_s);
        let bytes = image.or(old).and_then(Record::counted_bytes).unwrap_or(0);
        let item = match (action, image) {
            (Action::Update { changes, .. }, Some(image)) if old.is_some() => {
                let mut guard = guard;
                match update(changes, image, &mut guard.1) {
                    Some(expression) => update_item(table, &target.key, guard, expression)?,
                    None if guard.0.is_none() => return Ok(()),
                    None => check_item(table, &target.key, guard)?,
                }
            }
            (_, Some(image)) => put_item(table, image, guard)?,
            (_, None) => delete_item(table, &target.key, guard)?,
        };
        let units = units(action, target, old, image);
        self.push(item, Part::Action { at, guarded }, bytes, units);
        Ok(())
    }

    fn push_check(&mut self, database: &Database, reading: &Reading<'_>, at: usize) -> Result<()> {
        let (action, target) = (&reading.transaction.actions[at], &reading.targets[at]);
        if action.conditions().is_empty() {
            return Ok(());
        }
        let conditions = Conditions { table: target.table, now_s: reading.now_s };
        let mut marks = Placeholders::default();
        let expression = conditions.all(action.conditions(), &mut marks);
        let item = check_item(database.names.of(target.table), &target.key, (expression, marks))?;
        let found = reading.found.get(&at);
        let bytes = found.and_then(Record::counted_bytes).unwrap_or(0);
        let units = WriteUnits::of_check(found);
        self.push(item, Part::Action { at, guarded: false }, bytes, units);
        Ok(())
    }

    /// The change records, partition by partition; or, without changes, a check that no other
    /// transaction wrote one.
    fn push_log(
        &mut self,
        database: &Database,
        reading: &Reading<'_>,
        images: &[Option<Record>],
        next: impl Fn(&Partition) -> Place,
    ) -> Result<()> {
        for partition in super::written(reading.transaction, reading.targets) {
            let changed: Vec<usize> = (0..images.len())
                .filter(|at| {
                    let target = &reading.targets[*at];
                    let is_check = matches!(reading.transaction.actions[*at], Action::Check { .. });
                    let is_here = target.table == partition.0 && target.key.pk == partition.1;
                    target.journaled && !is_check && is_here
                })
                .filter(|at| reading.found.get(at) != images[*at].as_ref())
                .collect();
            let first = next(&partition);
            if changed.is_empty() {
                self.push_unchanged(database, &partition, first)?;
                continue;
            }
            for (index, at) in (0..).zip(&changed) {
                let place = Place { index, ..first };
                let entry = NewEntry {
                    place,
                    table: partition.0,
                    key: &reading.targets[*at].key,
                    actor: &reading.transaction.actor,
                    at: reading.transaction.at,
                    old: reading.found.get(at),
                    new: images[*at].as_ref(),
                    count: changed.len(),
                    expires: database.journal_expiry_s(),
                };
                self.push_entry(database, &entry)?;
                self.newest.insert(partition.clone(), place);
            }
        }
        Ok(())
    }

    fn push_entry(&mut self, database: &Database, entry: &NewEntry<'_>) -> Result<()> {
        for record in entry.to_records()? {
            let bytes = record.counted_bytes().unwrap_or(0);
            let is_lock = record.text("SK")
                == Some(Place::first(entry.place.transaction).sort_key().as_str());
            let guard = if is_lock { nobody_wrote() } else { Guard::default() };
            let item = put_item(database.names.changes(), &record, guard)?;
            let units = WriteUnits::of_write(&[BY_RECORD], None, Some(&record));
            self.push(item, Part::Log, bytes, units.in_transaction());
        }
        Ok(())
    }

    fn push_unchanged(
        &mut self,
        database: &Database,
        (table, pk): &Partition,
        next: Place,
    ) -> Result<()> {
        let key = Key::new(place::partition(*table, pk), next.sort_key());
        let item = check_item(database.names.changes(), &key, nobody_wrote())?;
        self.push(item, Part::Log, 0, WriteUnits::of_check(None));
        Ok(())
    }
}

/// The conditions of an action. Unjournaled records have no change record to guard them: if the old
/// record matters, it must be unchanged.
fn guard(action: &Action, target: &Target, old: Option<&Record>, now_s: i64) -> (Guard, bool) {
    let conditions = Conditions { table: target.table, now_s };
    let mut marks = Placeholders::default();
    let mut expression = conditions.all(action.conditions(), &mut marks);
    let mut guarded = false;
    if let Action::Update { changes, .. } = action
        && !target.journaled
    {
        let unchanged = conditions.unchanged(old, changes, &mut marks);
        expression = Some(match expression {
            Some(when) => format!("{when} AND {unchanged}"),
            None => unchanged,
        });
        guarded = true;
    }
    ((expression, marks), guarded)
}

/// The units of a write. A record that is deleted unread counts as a small one with only its key.
fn units(
    action: &Action,
    target: &Target,
    old: Option<&Record>,
    new: Option<&Record>,
) -> WriteUnits {
    let unread = matches!(action, Action::Delete { .. }) && !target.journaled;
    let bare = unread.then(|| target.table.record_with(&target.key));
    let old = old.or(bare.as_ref());
    WriteUnits::of_write(target.table.indexes(), old, new).in_transaction()
}
