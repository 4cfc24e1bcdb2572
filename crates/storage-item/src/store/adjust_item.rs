//! Changing a quantity. The common case is one atomic step without a prior read; only at the floor is the
//! quantity read and then replaced if it is still the same.

use larder_domain::{Delta, Item, ItemId, Quantity};
use larder_storage::{AdjustItem, Result, Scope, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::touch,
    change_set::{ChangeSet, Commit, image},
    contention,
};
use crate::{
    Action, Condition, Record, RecordEngine, Table,
    layout::{
        fields::{hundredths_number, quantity_number},
        idempotency::{self, Did},
        item, keys,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Claim,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn adjust(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem> {
        let wanted = delta.hundredths();
        let room = if wanted < 0 {
            Condition::AtLeast("quantity".into(), hundredths_number(-wanted))
        } else {
            let most = Quantity::MAX.hundredths() - wanted;
            Condition::AtMost("quantity".into(), hundredths_number(most))
        };
        let mut applied = wanted;
        let mut when = vec![room.clone()];
        for _ in 0..MAX_ATTEMPTS {
            let changes = touch(hundredths_number(applied), scope.actor(), write.at);
            let key = keys::item(scope.owner(), id);
            let set = ChangeSet::new().update(Step::Item, key, when, changes);
            let did = Did::ItemAdjusted { applied_hundredths: applied };
            match self.commit(scope.actor(), write, set, Some((did, Step::Item))).await? {
                Commit::Done(images) => {
                    let item = image(&images, 0, item::from_record)?;
                    return Ok(AdjustItem::Adjusted { item, applied_hundredths: applied });
                }
                Commit::Failed(_, None) => return Ok(AdjustItem::NotFound),
                Commit::Failed(_, Some(record)) => {
                    let current = item::from_record(&record)?;
                    match current.details.quantity.adjust(delta) {
                        Err(_) => return Ok(AdjustItem::Overflow(current)),
                        Ok((_, 0)) => {
                            if self.changed_nothing(scope, &current, &record, write).await? {
                                let item = current;
                                return Ok(AdjustItem::Adjusted { item, applied_hundredths: 0 });
                            }
                            (applied, when) = (wanted, vec![room.clone()]);
                        }
                        Ok((_, most)) if most != wanted => {
                            let seen = quantity_number(current.details.quantity);
                            when = vec![Condition::Equals("quantity".into(), seen.into())];
                            applied = most;
                        }
                        // There is enough again.
                        Ok(_) => (applied, when) = (wanted, vec![room.clone()]),
                    }
                }
            }
        }
        Err(contention("adjusting a quantity"))
    }

    /// Remembers, if the write claims to happen once, that nothing was there to take. `false` if there is
    /// something now.
    async fn changed_nothing(
        &self,
        scope: Scope,
        current: &Item,
        record: &Record,
        write: Write<'_>,
    ) -> Result<bool> {
        let Some(claim) = write.claim else { return Ok(true) };
        let did = Did::ItemAdjusted { applied_hundredths: 0 };
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
