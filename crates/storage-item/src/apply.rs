//! Semantics of conditions and changes, for every engine that has to evaluate them itself. Pure.

use larder_storage::{Result, StorageError};

use crate::{
    Action, Change, Condition, Key, Number, Record, Table, Transaction, Value,
    validate::check_records,
};

impl Condition {
    /// Whether it is met by a record, or by its absence.
    pub fn holds(&self, current: Option<&Record>) -> bool {
        let number = |name: &str| current.and_then(|record| record.number(name));
        match self {
            Self::Exists => current.is_some(),
            Self::NotExists => current.is_none(),
            Self::Equals(name, value) => {
                current.is_some_and(|record| record.get(name) == Some(value))
            }
            Self::Absent(name) => current.is_some_and(|record| record.get(name).is_none()),
            Self::AtLeast(name, least) => number(name).is_some_and(|held| held >= *least),
            Self::AtMost(name, most) => number(name).is_some_and(|held| held <= *most),
        }
    }
}

impl Change {
    /// Applies the change.
    pub fn apply(&self, record: &mut Record) -> Result<()> {
        match self {
            Self::Set(name, value) => record.set(name.clone(), value.clone()),
            Self::Remove(name) => {
                record.remove(name);
            }
            Self::Add(name, amount) => {
                let held = match record.get(name) {
                    None => Number::ZERO,
                    Some(Value::N(number)) => *number,
                    Some(_) => {
                        return Err(StorageError::Defect(format!(
                            "attribute {name} is no number to add to"
                        )));
                    }
                };
                let sum = held
                    .checked_add(*amount)
                    .map_err(|_| StorageError::TooLarge(format!("the sum in attribute {name}")))?;
                record.set(name.clone(), sum);
            }
        }
        Ok(())
    }
}

impl Action {
    /// The record that the action is about. An error for a record without its keys.
    pub fn target(&self) -> Result<(Table, Key)> {
        match self {
            Self::Put { table, record, .. } => {
                let key = table.key_of(record);
                let key =
                    key.ok_or_else(|| StorageError::Defect("a record without its key".into()))?;
                Ok((*table, key))
            }
            Self::Update { table, key, .. }
            | Self::Delete { table, key, .. }
            | Self::Check { table, key, .. } => Ok((*table, key.clone())),
        }
    }

    /// The table of that record.
    pub const fn table(&self) -> Table {
        match self {
            Self::Put { table, .. }
            | Self::Update { table, .. }
            | Self::Delete { table, .. }
            | Self::Check { table, .. } => *table,
        }
    }

    /// The conditions of the action.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            Self::Put { when, .. }
            | Self::Update { when, .. }
            | Self::Delete { when, .. }
            | Self::Check { when, .. } => when,
        }
    }
}

impl Transaction {
    /// The new record of each action, given the old ones (an expired record counts as absent):
    /// `None` after `Delete` and `Check`. An error if one exceeds the limits of a record or a
    /// transaction.
    pub fn images<'r>(
        &self,
        found: impl Fn(usize) -> Option<&'r Record>,
    ) -> Result<Vec<Option<Record>>> {
        let mut images = Vec::with_capacity(self.actions.len());
        for (at, action) in self.actions.iter().enumerate() {
            images.push(match action {
                Action::Put { record, .. } => Some(record.clone()),
                Action::Update { table, key, changes, .. } => {
                    let mut record = found(at).cloned().unwrap_or_else(|| table.record_with(key));
                    changes.iter().try_for_each(|change| change.apply(&mut record))?;
                    Some(record)
                }
                Action::Delete { .. } | Action::Check { .. } => None,
            });
        }
        for (at, action) in self.actions.iter().enumerate() {
            if let Action::Put { embed: Some((name, source)), .. } = action
                && let Some(embedded) = images.get(*source).cloned().flatten()
                && let Some(image) = &mut images[at]
            {
                image.set(name.clone(), Value::M(embedded));
            }
        }
        let tables = self.actions.iter().map(Action::table);
        check_records(
            tables.zip(&images).filter_map(|(table, image)| Some((table, image.as_ref()?))),
        )?;
        Ok(images)
    }
}

impl Table {
    /// The second at which a record expires.
    pub fn expiry(self, record: &Record) -> Option<i64> {
        let ttl = record.number(self.ttl_attribute()?)?;
        // Our layouts never write fractions of a second or years beyond i64: no expiry then.
        ttl.to_i64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record::new().with("a", "text").with("n", Number::from(5)).with("z", Value::Null)
    }

    #[test]
    fn each_condition_tells_its_cases_apart() {
        let held = record();
        let cases = [
            (Condition::Exists, true, false),
            (Condition::NotExists, false, true),
            (Condition::Equals("a".into(), "text".into()), true, false),
            (Condition::Equals("a".into(), "other".into()), false, false),
            (Condition::Equals("n".into(), Number::new(50, -1).unwrap().into()), true, false),
            (Condition::Absent("b".into()), true, false),
            (Condition::Absent("z".into()), false, false),
            (Condition::AtLeast("n".into(), Number::from(5)), true, false),
            (Condition::AtLeast("n".into(), Number::from(6)), false, false),
            (Condition::AtLeast("a".into(), Number::from(0)), false, false),
            (Condition::AtMost("n".into(), Number::from(5)), true, false),
            (Condition::AtMost("n".into(), Number::from(4)), false, false),
            (Condition::AtMost("b".into(), Number::from(4)), false, false),
        ];
        for (condition, present, absent) in cases {
            assert_eq!(condition.holds(Some(&held)), present, "{condition:?} of a record");
            assert_eq!(condition.holds(None), absent, "{condition:?} of nothing");
        }
    }

    #[test]
    fn each_change_does_what_it_says() {
        let mut held = record();
        Change::Set("a".into(), true.into()).apply(&mut held).unwrap();
        Change::Add("n".into(), Number::new(-75, -1).unwrap()).apply(&mut held).unwrap();
        Change::Add("new".into(), Number::from(2)).apply(&mut held).unwrap();
        Change::Remove("z".into()).apply(&mut held).unwrap();
        Change::Remove("never there".into()).apply(&mut held).unwrap();
        let expected = Record::new()
            .with("a", true)
            .with("n", Number::new(-25, -1).unwrap())
            .with("new", Number::from(2));
        assert_eq!(held, expected);
    }

    #[test]
    fn a_sum_beyond_38_digits_is_too_large_and_a_text_takes_no_sum() {
        let mut held = Record::new().with("n", Number::new(1, 100).unwrap()).with("a", "text");
        let tiny = Change::Add("n".into(), Number::from(1));
        assert!(matches!(tiny.apply(&mut held), Err(StorageError::TooLarge(_))));
        let text = Change::Add("a".into(), Number::from(1));
        assert!(matches!(text.apply(&mut held), Err(StorageError::Defect(_))));
    }
}
