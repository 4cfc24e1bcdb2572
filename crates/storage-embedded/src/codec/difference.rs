//! The previous state of a record, encoded as a difference to the new one: a count, then each
//! attribute that differs with its previous value, or [`ABSENT`].

use larder_storage_item::{Name, Record, Value};

use super::MAX_DEPTH;
use super::decode::{DecodeError, Input};
use super::encode::{name, value, varint};

/// In place of a value's tag: the attribute was absent.
const ABSENT: u8 = 0xff;

/// The difference that [`revert`] undoes. The records have the same key.
pub(crate) fn encode_difference(old: &Record, new: &Record) -> Vec<u8> {
    let mut changed: Vec<(&str, Option<&Value>)> = Vec::new();
    let mut after = new.iter().peekable();
    for (name, before) in old.iter() {
        while let Some((added, _)) = after.next_if(|(candidate, _)| *candidate < name) {
            changed.push((added, None));
        }
        let kept = after.next_if(|(candidate, _)| *candidate == name);
        if kept.is_none_or(|(_, value)| value != before) {
            changed.push((name, Some(before)));
        }
    }
    changed.extend(after.map(|(added, _)| (added, None)));

    let mut out = Vec::with_capacity(16 * changed.len() + 1);
    varint(&mut out, changed.len() as u64);
    for (changed, before) in changed {
        name(&mut out, changed);
        match before {
            Some(before) => value(&mut out, before),
            None => out.push(ABSENT),
        }
    }
    out
}

/// The record that `new` was before a difference.
pub(crate) fn revert(new: &Record, difference: &[u8]) -> Result<Record, DecodeError> {
    let mut input = Input::new(difference);
    let mut record = new.clone();
    for _ in 0..input.count(2)? {
        let name: Name = input.name()?;
        if input.take(ABSENT) {
            record.remove(&name);
        } else {
            record.set(name, input.value(MAX_DEPTH)?);
        }
    }
    input.end()?;
    Ok(record)
}
