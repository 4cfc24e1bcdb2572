//! Telling the lots of a changed product what it says, and joining two products. Changing the
//! product and creating the job for its lots are one transaction, so that any server can finish it.
//! A lot is told only in a transaction in which the product still says so: of two concurrent
//! changes, the slower cannot leave the older behind.

use jiff::Timestamp;
use larder_domain::{Item, Owner, Product, UserId, merge_amount};
use larder_storage::{Result, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::{fits, touch},
    belonging::leave,
    change_set::{Actor, ChangeSet, Commit},
    contention,
    replace_item::version_is,
    unlink::Links,
};
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::{fields::quantity_number, item, job::LotsJob, keys, product},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Product,
    Lots,
    OldLots,
    Other,
    Links,
    Job,
}

/// A product and what its lots are to be told: its own, or that of the product which it joins.
struct Telling<'a> {
    actor: Actor,
    source: &'a Product,
    target: &'a Product,
    at: Timestamp,
}

impl Telling<'_> {
    fn is_join(&self) -> bool {
        self.source.id != self.target.id
    }

    fn check_target(&self) -> Action {
        let key = keys::product(self.target.owner, self.target.id);
        let when = version_is(self.target.version);
        Action::Check { table: Table::InventoryManagement, key, when }
    }

    /// Who changed a lot last, once it is told, and when: as the product was changed, whoever
    /// finishes the work, unless the lot was changed later.
    fn change_of(&self, lot: &Item) -> (UserId, Timestamp) {
        if lot.updated_at > self.source.updated_at {
            (lot.updated_by, lot.updated_at)
        } else {
            (self.source.updated_by, self.source.updated_at)
        }
    }

    /// The lot after it was told.
    fn told(&self, lot: &Item) -> Item {
        let (by, at) = self.change_of(lot);
        lot.changed(lot.details.clone(), by, at).of_product(self.target)
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Brings the lots of a product in line with it. Idempotent.
    pub(super) async fn finish_lots(
        &self,
        actor: Actor,
        job: LotsJob,
        at: Timestamp,
    ) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::product(job.owner, job.product)).await? else {
                let set = ChangeSet::new().delete(Step::Job, job.key(), vec![]);
                self.commit(actor, Write::at(at), set, None).await?;
                return Ok(());
            };
            let source = product::from_record(&record)?;
            let target = match product::joins(&record)? {
                // It cannot be deleted: it counts the product that joins it as a lot.
                Some(other) => self.get(&keys::product(job.owner, other)).await?,
                None => Some(record),
            };
            let target = target.ok_or_else(|| contention("joining two products"))?;
            let target = product::from_record(&target)?;
            let telling = Telling { actor, source: &source, target: &target, at };
            let mut is_done = true;
            for lot in self.lots_of(job.owner, source.id).await? {
                is_done &= self.tell_lot(&telling, &lot).await?;
            }
            if !is_done {
                continue;
            }
            if telling.is_join() {
                self.pass_barcodes(actor, &source, target.id, at).await?;
            }
            let set = if telling.is_join() {
                end_of_join(&telling)
            } else {
                ChangeSet::new().step(Step::Product, telling.check_target())
            };
            let set = set.delete(Step::Job, job.key(), vec![]);
            if let Commit::Done(_) = self.commit(actor, Write::at(at), set, None).await? {
                return Ok(());
            }
        }
        Err(contention("telling the lots of a product"))
    }

    /// Tells one lot and its tags; `false` if something changed meanwhile.
    async fn tell_lot(&self, telling: &Telling<'_>, lot: &Item) -> Result<bool> {
        let told = telling.told(lot);
        if telling.is_join() || told.details != lot.details {
            let mut set = ChangeSet::new()
                .put(Step::Item, item::to_record(&told), version_is(lot.version))
                .step(Step::Product, telling.check_target());
            if telling.is_join() {
                set = set
                    .steps(leave(lot).map(|(_, less)| (Step::OldLots, less)))
                    .step(Step::Lots, product::one_joined(telling.target.id, &told));
            }
            match self.commit(telling.actor, Write::at(telling.at), set, None).await? {
                Commit::Done(_) => {}
                Commit::Failed(Step::Lots, _) => return self.merge_told(telling, lot, &told).await,
                Commit::Failed(_, _) => return Ok(false),
            }
        }
        if let Owner::Household(household) = lot.owner {
            self.correct_tag_names(household, lot.id, telling.at).await?;
        }
        Ok(true)
    }

    /// Merges a lot into the one of its date in the product that its own joins.
    async fn merge_told(&self, telling: &Telling<'_>, lot: &Item, told: &Item) -> Result<bool> {
        let (other, _) = self.same_item(told.owner, &told.details).await?;
        let Some(other) = other else { return Ok(false) };
        let details = &lot.details;
        // Both could be merged when the join began: it waits until one of them has changed.
        let Ok(added) = merge_amount(&other.details, details.quantity, &details.unit) else {
            return Ok(false);
        };
        let (by, at) = telling.change_of(&other);
        for links in [Links::None, Links::Counted] {
            let more = touch(quantity_number(added), by, at);
            let set = ChangeSet::new()
                .update(Step::Other, keys::item(other.owner, other.id), fits(&other, added), more)
                .delete(Step::Item, keys::item(lot.owner, lot.id), version_is(lot.version))
                .steps(leave(lot).map(|(_, less)| (Step::OldLots, less)));
            let set = links.delete_with(set, Step::Links, lot, telling.at);
            match self.commit(telling.actor, Write::at(telling.at), set, None).await? {
                Commit::Done(_) => {
                    self.after_deletion(telling.actor, lot, links, telling.at).await?;
                    return Ok(true);
                }
                Commit::Failed(Step::Links, _) => {}
                Commit::Failed(_, _) => return Ok(false),
            }
        }
        Ok(false)
    }
}

/// The last step of a join: the product without lots goes.
fn end_of_join(telling: &Telling<'_>) -> ChangeSet<Step> {
    let Telling { source, target, .. } = *telling;
    let owner = target.owner;
    ChangeSet::new()
        .delete(Step::Item, keys::product(owner, source.id), vec![Condition::Exists])
        .delete(Step::OldLots, keys::product_lots(owner, source.id), product::has_lots(0))
        .step(Step::Lots, product::end_of_join(owner, target.id))
}
