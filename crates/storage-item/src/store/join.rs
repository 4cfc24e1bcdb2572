//! Joining a product to another. The transaction that begins it hides the one and teaches the other
//! what it did not know, with the barcodes of both; its lots and the claims of its barcodes follow in
//! `tell_lots.rs`. Until then, whoever finds such a claim follows it to the other product.

use larder_domain::{MergeError, Product, merge_amount};
use larder_storage::{ReplaceProduct, Result, Scope, Write, WriteKind};

use super::{
    ItemStore,
    change_set::{ChangeSet, Commit},
    replace_item::version_is,
};
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::{job::LotsJob, keys, product, unique},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Product,
    Other,
    OldName,
    OldLots,
    Lots,
    Photo,
    Job,
    OtherJob,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Joins a product to another; `None` if one of them changed meanwhile.
    pub(super) async fn join(
        &self,
        scope: Scope,
        current: &Product,
        other: &Product,
        write: Write<'_>,
    ) -> Result<Option<ReplaceProduct>> {
        let owner = scope.owner();
        if let Some(refusal) = self.cannot_join(current, other).await? {
            return Ok(Some(refusal));
        }
        let Ok(learned) = other.details.joined(&current.details) else {
            return Ok(Some(ReplaceProduct::TooManyBarcodes));
        };
        // One that the other takes over stays in use as often as before.
        let left = current.details.photo.filter(|_| other.details.photo.is_some());
        let photo = self.change_photo(owner, left, None, write.at).await?.unwrap_or_default();
        let key = keys::product(owner, current.id);
        let mut when = version_is(current.version);
        when.push(Condition::Exists);
        let name = unique::product_name(owner, &current.details.name);
        let job = LotsJob { owner, product: current.id };
        let mut set = ChangeSet::new()
            .update(Step::Product, key, when, product::join(other.id, scope.actor(), write.at))
            .step(Step::OldName, name.release(current.id))
            .step(Step::OldLots, product::hide_lots(owner, current.id))
            .steps(photo.into_iter().map(|action| (Step::Photo, action)))
            .put(Step::Job, job.to_record(write.at), vec![]);
        let is_same = version_is(other.version);
        let joined = if learned == other.details {
            let (table, key) = (Table::InventoryManagement, keys::product(owner, other.id));
            set = set.step(Step::Other, Action::Check { table, key, when: is_same });
            other.clone()
        } else {
            let joined = other.changed(learned, scope.actor(), write.at);
            set = set.put(Step::Other, product::to_record(&joined), is_same);
            joined
        };
        set = set.step(Step::Lots, product::begin_of_join(&joined));
        let is_told = !other.details.tells_lots_the_same(&joined.details);
        let other_job = is_told.then_some(LotsJob { owner, product: other.id });
        if let Some(job) = other_job {
            set = set.put(Step::OtherJob, job.to_record(write.at), vec![]);
        }
        let did = (WriteKind::product_joined(other), Step::Product);
        match self.commit(scope.actor(), write, set, Some(did)).await? {
            Commit::Done(_) => {
                for job in [Some(job), other_job].into_iter().flatten() {
                    self.finish_lots(scope.actor().into(), job, write.at).await?;
                }
                Ok(Some(ReplaceProduct::Joined(joined)))
            }
            Commit::Failed(_, _) => Ok(None),
        }
    }

    /// The refusal if two lots of one date cannot be merged.
    async fn cannot_join(
        &self,
        current: &Product,
        other: &Product,
    ) -> Result<Option<ReplaceProduct>> {
        let theirs = self.lots_of(other.owner, other.id).await?;
        for lot in self.stocked(current.clone()).await?.lots {
            let details = &lot.details;
            let same_date = theirs.iter().find(|it| it.details.expiration == details.expiration);
            let Some(existing) = same_date else { continue };
            match merge_amount(&existing.details, details.quantity, &details.unit) {
                Ok(_) => {}
                Err(MergeError::UnitMismatch) => {
                    return Ok(Some(ReplaceProduct::UnitMismatch(existing.clone())));
                }
                Err(MergeError::Overflow) => {
                    return Ok(Some(ReplaceProduct::Overflow(existing.clone())));
                }
            }
        }
        Ok(None)
    }
}
