//! Moving a person's own items into their household: one small transaction per item, so that any number can
//! move and an interruption leaves each item in exactly one place.

use larder_domain::{Item, ItemId, MergeError, Owner, merge_amount};
use larder_storage::{HouseholdScope, MoveReport, Products as _, Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::{fits, touch},
    belonging::{Part, Written, leave, write_new},
    change_set::{ChangeSet, Commit},
    contention,
    replace_item::version_is,
};
use crate::{
    Change, Condition, RecordEngine,
    layout::{fields::quantity_number, item, keys, product},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Personal,
    Shared,
    Belongs(Part),
    Left,
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
        self.ensure_products(Owner::User(scope.actor())).await?;
        self.ensure_products_of(scope.inventory()).await?;
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
        self.delete_unstocked(scope, write).await?;
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
            let (existing, product) =
                self.same_item(scope.inventory().owner(), &item.details).await?;
            let set = ChangeSet::new()
                .delete(Step::Personal, keys::item(personal, id), version_is(item.version))
                .steps(leave(&item).map(|(_, less)| (Step::Left, less)));
            let (set, moved) = match existing {
                None => {
                    let shared = shared_copy(&item, scope, write);
                    let known = match item.product {
                        Some(product) => self.product(personal, product).await?,
                        None => None,
                    };
                    let mut known = known.map(|product| product.details);
                    if let (Some(known), None) = (&mut known, &product) {
                        let owner = scope.inventory().owner();
                        // Beside two items, a product, its lots and its name.
                        let room = self.barcodes_beside(9).await?;
                        known.barcodes = self.free_barcodes(owner, &known.barcodes, room).await?;
                    }
                    let Written { lot, steps, job: _ } =
                        write_new(product.as_ref(), &shared, known.as_ref());
                    let set = set
                        .put(Step::Shared, item::to_record(&lot), vec![Condition::NotExists])
                        .steps(steps.into_iter().map(|(part, step)| (Step::Belongs(part), step)));
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
                    let set = set.update(Step::Shared, key, fits(&existing, added), changes);
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

impl<E: RecordEngine> ItemStore<E> {
    /// Deletes a person's own products that have no lots any more: the household knows them now.
    async fn delete_unstocked(&self, scope: HouseholdScope, write: Write<'_>) -> Result<()> {
        let pk = keys::user_pk(scope.actor());
        for record in self.all_under(pk, keys::PRODUCT_PREFIX).await? {
            self.delete_product(
                scope.personal_inventory(),
                product::from_record(&record)?.id,
                write,
            )
            .await?;
        }
        Ok(())
    }
}

fn shared_copy(item: &Item, scope: HouseholdScope, write: Write<'_>) -> Item {
    let changed = item.changed(item.details.clone(), scope.actor(), write.at);
    Item { owner: scope.inventory().owner(), ..changed }
}
