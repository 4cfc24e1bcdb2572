//! Interprets a canceled transaction.

use aws_sdk_dynamodb::types::CancellationReason;
use larder_storage::Result;
use larder_storage_item::Record;

use super::plan::{Part, Plan, Reading};
use crate::attributes::to_record;
use crate::database::Database;
use crate::error::invalid;

/// Why nothing was changed.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// The first action whose condition failed, with its record.
    Refused { action: usize, current: Option<Box<Record>> },
    /// Others were in the way.
    Undecided,
}

impl Plan {
    /// Reads the reasons in the order of the actions, because the caller gets the first failure.
    pub(super) fn judge(
        &self,
        reading: &Reading<'_>,
        reasons: Vec<CancellationReason>,
    ) -> Result<Verdict> {
        for (part, reason) in self.parts.iter().zip(reasons) {
            match (reason.code().unwrap_or("None"), part) {
                ("None", _) => {}
                ("ConditionalCheckFailed", Part::Action { at, guarded }) => {
                    let table = reading.targets[*at].table;
                    let current = reason.item.filter(|item| !item.is_empty());
                    let current =
                        current.map(|item| to_record(table.key_names(), item)).transpose()?;
                    let current =
                        current.and_then(|record| Database::live(table, record, reading.now_s));
                    let mut when = reading.transaction.actions[*at].conditions().iter();
                    // The record has changed since it was read, but the caller's conditions may
                    // still hold.
                    if *guarded && when.all(|condition| condition.holds(current.as_ref())) {
                        continue;
                    }
                    return Ok(Verdict::Refused { action: *at, current: current.map(Box::new) });
                }
                ("ValidationError" | "ItemCollectionSizeLimitExceeded", _) => {
                    return Err(invalid(reason.message().unwrap_or("no message")));
                }
                // Another writer has the change record; or this item conflicts with another
                // transaction or was throttled, so neither it nor any later item was evaluated
                // reliably.
                _ => return Ok(Verdict::Undecided),
            }
        }
        Ok(Verdict::Undecided)
    }
}

#[cfg(test)]
mod tests;
