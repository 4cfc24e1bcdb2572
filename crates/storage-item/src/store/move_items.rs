//! Moving a person's own items into their household: one small transaction per item, so that any number can
//! move and an interruption leaves each item in exactly one place.

use larder_domain::{Item, ItemId, MergeError, Owner, merge_amount};
use larder_storage::{HouseholdScope, MoveReport, Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::{fits, touch},
    change_set::{ChangeSet, Commit},
    contention,
    replace_item::version_is,
};
use crate::{
    Change, Condition, RecordEngine,
    layout::{fields::quantity_number, item, keys, unique},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Personal,
    PersonalKey,
    Shared,
    SharedKey,
    User,
}

enum Moved {
    AsIs,
    Merged,
    Kept,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn move_items_in(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport> {
        // The claim, if any, belongs to entering the household, which has happened.
        let write = Write::at(write.at);
        let mut report = MoveReport::default();
        let pk = keys::user_pk(scope.actor());
        for record in self.all_under(pk, keys::ITEM_PREFIX).await? {
            if !item::is_item(&record) {
                continue;
            }
            match self.move_item(scope, item::from_record(&record)?.id, write).await? {
                Some(Moved::AsIs) => report.moved += 1,
                Some(Moved::Merged) => report.merged += 1,
                Some(Moved::Kept) => report.kept += 1,
                None => {}
            }
        }
        let done = vec![Change::Remove("movingItems".into())];
        let key = keys::user(scope.actor());
        let set = ChangeSet::new().update(Step::User, key, vec![Condition::Exists], done);
        self.commit(scope.actor(), write, set, None).await?;
        Ok(report)
    }

    /// Moves one item; `None` if it is gone.
    async fn move_item(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        write: Write<'_>,
    ) -> Result<Option<Moved>> {
        let personal = Owner::User(scope.actor());
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::item(personal, id)).await? else { return Ok(None) };
            let item = item::from_record(&record)?;
            let shared_key = unique::merge_key(scope.inventory().owner(), &item.details);
            let (personal_key, _) = unique::of_item(&item);
            let set = ChangeSet::new()
                .delete(Step::Personal, keys::item(personal, id), version_is(item.version))
                .step(Step::PersonalKey, personal_key.release(id));
            let (set, moved) = match self.find_item_by_key(scope.inventory(), &shared_key).await? {
                None => {
                    let shared = shared_copy(&item, scope, write);
                    let record = item::to_record(&shared);
                    let set = set
                        .put(Step::Shared, record, vec![Condition::NotExists])
                        .step(Step::SharedKey, shared_key.take(id, write.at));
                    (set, Moved::AsIs)
                }
                Some(existing) => {
                    let details = &item.details;
                    let amount = merge_amount(&existing.details, details.quantity, &details.unit);
                    let added = match amount {
                        Ok(added) => added,
                        Err(MergeError::UnitMismatch | MergeError::Overflow) => {
                            return Ok(Some(Moved::Kept));
                        }
                    };
                    let changes = touch(quantity_number(added), scope.actor(), write.at);
                    let key = keys::item(existing.owner, existing.id);
                    let set = set
                        .update(Step::Shared, key, fits(&existing, added), changes)
                        .step(Step::SharedKey, shared_key.check(existing.id));
                    (set, Moved::Merged)
                }
            };
            if let Commit::Done(_) = self.commit(scope.actor(), write, set, None).await? {
                return Ok(Some(moved));
            }
        }
        Err(contention("moving an item"))
    }
}

fn shared_copy(item: &Item, scope: HouseholdScope, write: Write<'_>) -> Item {
    let changed = item.changed(item.details.clone(), scope.actor(), write.at);
    Item { owner: scope.inventory().owner(), ..changed }
}
