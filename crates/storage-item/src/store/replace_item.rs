//! Giving an item other details, under its version; and making two items one when name and date meet.

use larder_domain::{Item, ItemDetails, ItemId, MergeError, merge_amount};
use larder_storage::{ReplaceItem, Result, Scope, Write, WriteKind};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::{fits, touch},
    belonging::{Part, Written, is_full, leave},
    change_set::{ChangeSet, Commit},
    contention,
    references::{self, Reference},
    unlink::Links,
};
use crate::{
    Condition, Number, RecordEngine,
    layout::{fields::quantity_number, item, keys},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Other,
    Belongs(Part),
    Refers(Reference),
    Links,
}

pub(super) fn version_is(version: u64) -> Vec<Condition> {
    let version = Number::from(i64::try_from(version).unwrap_or(i64::MAX));
    vec![Condition::Equals("version".into(), version.into())]
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn replace(
        &self,
        scope: Scope,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        write: Write<'_>,
    ) -> Result<ReplaceItem> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(record) = self.get(&keys::item(scope.owner(), id)).await? else {
                return Ok(ReplaceItem::NotFound);
            };
            let current = item::from_record(&record)?;
            if current.version != version {
                return Ok(ReplaceItem::VersionConflict(current));
            }
            let refers = match references::checks(scope.owner(), details, Some(&current.details)) {
                Ok(checks) => checks,
                Err(Reference::Location) => return Ok(ReplaceItem::LocationNotFound),
                Err(Reference::Store) => return Ok(ReplaceItem::StoreNotFound),
            };
            let changed = current.changed(details.clone(), scope.actor(), write.at);
            let Written { lot, steps, job } = self.write_changed(&current, &changed).await?;
            let set = ChangeSet::new()
                .put(Step::Item, item::to_record(&lot), version_is(version))
                .steps(refers.into_iter().map(|(what, a)| (Step::Refers(what), a)))
                .steps(steps.into_iter().map(|(part, action)| (Step::Belongs(part), action)));
            let did = (WriteKind::ITEM_REPLACED, Step::Item);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => {
                    if let Some(job) = job {
                        self.finish_lots(scope.actor().into(), job, write.at).await?;
                    }
                    return Ok(ReplaceItem::Replaced(lot));
                }
                Commit::Failed(Step::Belongs(part), found)
                    if is_full(part, found.as_deref(), details) =>
                {
                    return Ok(ReplaceItem::TooManyLots);
                }
                Commit::Failed(Step::Refers(Reference::Location), _) => {
                    return Ok(ReplaceItem::LocationNotFound);
                }
                Commit::Failed(Step::Refers(Reference::Store), _) => {
                    return Ok(ReplaceItem::StoreNotFound);
                }
                Commit::Failed(Step::Belongs(Part::Lots), _) => {
                    let (other, _) = self.same_item(scope.owner(), details).await?;
                    let Some(other) = other.filter(|other| other.id != id) else { continue };
                    if !merge {
                        return Ok(ReplaceItem::Duplicate(other));
                    }
                    if let Some(outcome) =
                        self.merge_two(scope, &current, &changed, &other, write).await?
                    {
                        return Ok(outcome);
                    }
                }
                // It changed meanwhile: the next attempt returns its current state.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing an item"))
    }

    /// Merges the changed item into the other one and deletes it; `None` if one of them changed
    /// meanwhile.
    async fn merge_two(
        &self,
        scope: Scope,
        current: &Item,
        changed: &Item,
        other: &Item,
        write: Write<'_>,
    ) -> Result<Option<ReplaceItem>> {
        let details = &changed.details;
        let added = match merge_amount(&other.details, details.quantity, &details.unit) {
            Ok(added) => added,
            Err(MergeError::UnitMismatch) => {
                return Ok(Some(ReplaceItem::UnitMismatch(other.clone())));
            }
            Err(MergeError::Overflow) => return Ok(Some(ReplaceItem::Overflow(other.clone()))),
        };
        let owner = scope.owner();
        for links in [Links::None, Links::Counted] {
            let more = touch(quantity_number(added), scope.actor(), write.at);
            let set = ChangeSet::new()
                .update(Step::Other, keys::item(owner, other.id), fits(other, added), more)
                .delete(Step::Item, keys::item(owner, current.id), version_is(current.version))
                .steps(leave(current).map(|(part, action)| (Step::Belongs(part), action)));
            let set = links.delete_with(set, Step::Links, current, write.at);
            let did = (WriteKind::ITEM_MERGED, Step::Other);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(images) => {
                    self.after_deletion(scope.actor().into(), current, links, write.at).await?;
                    let merged = images.decode(Step::Other, item::from_record)?;
                    return Ok(Some(ReplaceItem::Merged(merged)));
                }
                Commit::Failed(Step::Links, _) => {}
                Commit::Failed(_, _) => return Ok(None),
            }
        }
        Ok(None)
    }
}
