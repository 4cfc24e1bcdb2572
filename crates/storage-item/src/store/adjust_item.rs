//! Changing a quantity. The common case is one atomic step without a prior read; only at the floor is the
//! quantity read and then replaced if it is still the same.

use larder_domain::{Delta, Item, ItemId, Quantity};
use larder_storage::{AdjustItem, Result, Scope, Write, WriteKind};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::touch,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Action, Condition, Record, RecordEngine, Table,
    layout::{
        fields::{hundredths_number, quantity_number},
        idempotency, item, keys,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Claim,
}

/// A change of a quantity by a delta, as it can be tried now.
pub(super) struct Adjustment {
    delta: Delta,
    /// The delta to apply, in hundredths.
    pub(super) applied: i64,
    /// The conditions on the item for that.
    pub(super) when: Vec<Condition>,
}

/// The next step after an attempt failed on the current item.
pub(super) enum Verdict {
    /// Retry with the new adjustment.
    TryAgain,
    /// The item is empty.
    Nothing,
    /// The sum would be too large.
    Overflow,
}

impl Adjustment {
    /// The first try: the whole delta, without knowing the quantity.
    pub(super) fn new(delta: Delta) -> Self {
        let wanted = delta.hundredths();
        let room = if wanted < 0 {
            Condition::AtLeast("quantity".into(), hundredths_number(-wanted))
        } else {
            let most = Quantity::MAX.hundredths() - wanted;
            Condition::AtMost("quantity".into(), hundredths_number(most))
        };
        Self { delta, applied: wanted, when: vec![room] }
    }

    /// Judges the item that a try found, and prepares the next.
    pub(super) fn judge(&mut self, current: &Item) -> Verdict {
        let fresh = Self::new(self.delta);
        match current.details.quantity.adjust(self.delta) {
            Err(_) => Verdict::Overflow,
            Ok((_, 0)) => {
                *self = fresh;
                Verdict::Nothing
            }
            Ok((_, most)) if most != fresh.applied => {
                let seen = quantity_number(current.details.quantity);
                self.when = vec![Condition::Equals("quantity".into(), seen.into())];
                self.applied = most;
                Verdict::TryAgain
            }
            // Sufficient again.
            Ok(_) => {
                *self = fresh;
                Verdict::TryAgain
            }
        }
    }
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn adjust(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem> {
        let mut adjustment = Adjustment::new(delta);
        for _ in 0..MAX_ATTEMPTS {
            let applied_hundredths = adjustment.applied;
            let changes = touch(hundredths_number(applied_hundredths), scope.actor(), write.at);
            let key = keys::item(scope.owner(), id);
            let set = ChangeSet::new().update(Step::Item, key, adjustment.when.clone(), changes);
            let did = WriteKind::item_adjusted(applied_hundredths);
            match self.commit(scope.actor(), write, set, Some((did, Step::Item))).await? {
                Commit::Done(images) => {
                    let item = images.decode(Step::Item, item::from_record)?;
                    return Ok(AdjustItem::Adjusted { item, applied_hundredths });
                }
                Commit::Failed(_, None) => return Ok(AdjustItem::NotFound),
                Commit::Failed(_, Some(record)) => {
                    let current = item::from_record(&record)?;
                    match adjustment.judge(&current) {
                        Verdict::Overflow => return Ok(AdjustItem::Overflow(current)),
                        Verdict::TryAgain => {}
                        Verdict::Nothing => {
                            if self.changed_nothing(scope, &current, &record, write).await? {
                                let item = current;
                                return Ok(AdjustItem::Adjusted { item, applied_hundredths: 0 });
                            }
                        }
                    }
                }
            }
        }
        Err(contention("adjusting a quantity"))
    }

    /// Stores under the idempotency key, if there is one, that the item was empty. `false` if it no
    /// longer is.
    async fn changed_nothing(
        &self,
        scope: Scope,
        current: &Item,
        record: &Record,
        write: Write<'_>,
    ) -> Result<bool> {
        let Some(claim) = write.claim else { return Ok(true) };
        let did = WriteKind::item_adjusted(0);
        let mut remembered = idempotency::to_record(scope.actor(), claim, did, write.at);
        remembered.set(idempotency::RESULT, crate::Value::M(record.clone()));
        let still_empty = vec![Condition::Equals(
            "quantity".into(),
            quantity_number(current.details.quantity).into(),
        )];
        let key = keys::item(scope.owner(), current.id);
        let table = Table::InventoryManagement;
        let set = ChangeSet::new()
            .put(Step::Claim, remembered, vec![Condition::NotExists])
            .step(Step::Item, Action::Check { table, key, when: still_empty });
        match self.commit(scope.actor(), write, set, None).await? {
            Commit::Done(_) => Ok(true),
            Commit::Failed(Step::Claim, _) => Err(larder_storage::StorageError::IdempotencyKeyUsed),
            Commit::Failed(Step::Item, _) => Ok(false),
        }
    }
}
