//! What conditions and changes mean. Pure.

use larder_storage::{Result, StorageError};
use larder_storage_item::{Change, Condition, Number, Record, Value};

/// Whether a condition is met by a record, or by its absence.
pub(super) fn holds(condition: &Condition, current: Option<&Record>) -> bool {
    let number = |name: &str| current.and_then(|record| record.number(name));
    match condition {
        Condition::Exists => current.is_some(),
        Condition::NotExists => current.is_none(),
        Condition::Equals(name, value) => {
            current.is_some_and(|record| record.get(name) == Some(value))
        }
        Condition::Absent(name) => current.is_some_and(|record| record.get(name).is_none()),
        Condition::AtLeast(name, least) => number(name).is_some_and(|held| held >= *least),
        Condition::AtMost(name, most) => number(name).is_some_and(|held| held <= *most),
    }
}

/// Makes one change.
pub(super) fn change(record: &mut Record, change: &Change) -> Result<()> {
    match change {
        Change::Set(name, value) => record.set(name.clone(), value.clone()),
        Change::Remove(name) => {
            record.remove(name);
        }
        Change::Add(name, amount) => {
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
            assert_eq!(holds(&condition, Some(&held)), present, "{condition:?} of a record");
            assert_eq!(holds(&condition, None), absent, "{condition:?} of nothing");
        }
    }

    #[test]
    fn each_change_does_what_it_says() {
        let mut held = record();
        change(&mut held, &Change::Set("a".into(), true.into())).unwrap();
        change(&mut held, &Change::Add("n".into(), Number::new(-75, -1).unwrap())).unwrap();
        change(&mut held, &Change::Add("new".into(), Number::from(2))).unwrap();
        change(&mut held, &Change::Remove("z".into())).unwrap();
        change(&mut held, &Change::Remove("never there".into())).unwrap();
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
        assert!(matches!(change(&mut held, &tiny), Err(StorageError::TooLarge(_))));
        let text = Change::Add("a".into(), Number::from(1));
        assert!(matches!(change(&mut held, &text), Err(StorageError::Defect(_))));
    }
}
