//! Moving items between a person's own inventory and their household's: one small transaction per
//! item, so that any number can move and an interruption leaves each item in exactly one place.

use larder_domain::{Belonging, Item, ItemId, MergeError, Product, Whose, merge_amount};
use larder_storage::{
    HouseholdScope, MoveItem, MoveReport, Products as _, Result, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::{fits, touch},
    belonging::{Part, Written, introduce, is_full, leave, write_new},
    change_set::{ChangeSet, Commit},
    contention,
    replace_item::version_is,
    unlink::Links,
};
use crate::{
    Change, Condition, RecordEngine,
    layout::{fields::quantity_number, item, keys, product},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Left,
    Arrived,
    Leaves(Part),
    Belongs(Part),
    Links,
    User,
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
            if item::is_item(&record) {
                let id = item::from_record(&record)?.id;
                report.count(&self.move_one(scope, id, Whose::Household, write).await?);
            }
        }
        self.delete_unstocked(scope, write).await?;
        let done = vec![Change::Remove("movingItems".into())];
        let key = keys::user(scope.actor());
        let set = ChangeSet::new().update(Step::User, key, vec![Condition::Exists], done);
        self.commit(scope.actor(), write, set, None).await?;
        Ok(report)
    }

    pub(super) async fn move_one(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        to: Whose,
        write: Write<'_>,
    ) -> Result<MoveItem> {
        let (from, to) = (scope.inventory_of(to.other()), scope.inventory_of(to));
        self.ensure_products_of(from).await?;
        self.ensure_products_of(to).await?;
        let mut links = Links::None;
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::item(from.owner(), id)).await? else {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(MoveItem::NotFound);
            };
            let item = item::from_record(&record)?;
            let set = ChangeSet::new()
                .delete(Step::Left, keys::item(from.owner(), id), version_is(item.version))
                .steps(leave(&item).map(|(part, less)| (Step::Leaves(part), less)));
            let set = links.delete_with(set, Step::Links, &item, write.at);
            let (existing, product) = self.same_item(to.owner(), &item.details).await?;
            let (set, kind, lot) = if let Some(existing) = &existing {
                let details = &item.details;
                let amount = merge_amount(&existing.details, details.quantity, &details.unit);
                let added = match amount {
                    Ok(added) => added,
                    Err(MergeError::UnitMismatch) => {
                        return Ok(MoveItem::UnitMismatch(existing.clone()));
                    }
                    Err(MergeError::Overflow) => {
                        return Ok(MoveItem::Overflow(existing.clone()));
                    }
                };
                let changes = touch(quantity_number(added), scope.actor(), write.at);
                let key = keys::item(existing.owner, existing.id);
                let set = set.update(Step::Arrived, key, fits(existing, added), changes);
                (set, WriteKind::ITEM_MERGED, None)
            } else {
                let lot = item.moved(to.owner(), to.actor(), write.at);
                let product = match product {
                    Some(product) => product,
                    None => match self.product_of_arriving(&item, &lot).await? {
                        Some(product) => product,
                        None => continue,
                    },
                };
                let known = Some(&product.details);
                let Written { lot, steps, job: _ } = write_new(Some(&product), &lot, known);
                let set = set
                    .put(Step::Arrived, item::to_record(&lot), vec![Condition::NotExists])
                    .steps(steps.into_iter().map(|(part, step)| (Step::Belongs(part), step)));
                (set, WriteKind::ITEM_ADDED, Some(lot))
            };
            match self.commit(scope.actor(), write, set, Some((kind, Step::Arrived))).await? {
                Commit::Done(images) => {
                    self.after_deletion(scope.actor().into(), &item, links, write.at).await?;
                    return match lot {
                        Some(lot) => Ok(MoveItem::Moved(lot)),
                        None => {
                            Ok(MoveItem::Merged(images.decode(Step::Arrived, item::from_record)?))
                        }
                    };
                }
                Commit::Failed(Step::Links, _) => links = links.other(),
                Commit::Failed(Step::Belongs(part), found)
                    if is_full(part, found.as_deref(), &item.details) =>
                {
                    return Ok(MoveItem::TooManyLots);
                }
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("moving an item"))
    }

    /// The product of this lot's name where it arrives. It is made with what the product that it
    /// leaves knows, in a transaction of its own: there are endpoints that take ten actions at once.
    /// `None` if somebody else was faster.
    async fn product_of_arriving(&self, item: &Item, lot: &Item) -> Result<Option<Product>> {
        let known = match item.product {
            Some(product) => self.product(item.owner, product).await?,
            None => None,
        };
        let mut known = known.map(|product| product.details);
        if let Some(known) = &mut known {
            // Beside the product, its change record, its name and its lots.
            let room = self.barcodes_beside(4).await?;
            known.barcodes = self.free_barcodes(lot.owner, &known.barcodes, room).await?;
        }
        let product = Belonging::of_new(None, lot, known.as_ref()).product;
        let steps = introduce(&product).map(|step| ((), step));
        let (by, write) = (lot.updated_by, Write::at(lot.updated_at));
        let made = self.commit(by, write, ChangeSet::new().steps(steps), None).await?;
        Ok(matches!(made, Commit::Done(_)).then_some(product))
    }

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
