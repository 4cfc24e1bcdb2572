//! Adding an item, or merging it. Two clients that add the same item concurrently conflict on the
//! lots of its product: one creates the item, the other merges into it.

use std::ops::ControlFlow;

use larder_domain::{Item, MergeError, Quantity, UserId, merge_amount};
use larder_storage::{AddItem, Result, Scope, Write, WriteKind};

use super::{
    ItemStore, MAX_ATTEMPTS,
    belonging::{Part, Written, is_full, write_new},
    change_set::{ChangeSet, Commit},
    contention,
    references::{self, Reference},
};
use crate::{
    Action, Change, Condition, Number, RecordEngine,
    layout::{
        fields::{quantity_number, timestamp_text},
        item, keys,
        places::is_deleting,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Belongs(Part),
    Refers(Reference),
    Along,
}

/// A change that goes with a new item.
pub(super) struct Along<'a> {
    pub(super) action: Action,
    /// The lot that the new one was taken from, for the answer to a repetition.
    pub(super) rest: Option<&'a Item>,
}

/// The changes that go with a new quantity without an actor.
pub(super) fn adjusted(quantity: Number, at: jiff::Timestamp) -> Vec<Change> {
    vec![
        Change::Add("quantity".into(), quantity),
        Change::Add("version".into(), Number::from(1)),
        Change::Set("updatedAt".into(), timestamp_text(at).into()),
    ]
}

/// The changes that go with a new quantity.
pub(super) fn touch(quantity: Number, by: UserId, at: jiff::Timestamp) -> Vec<Change> {
    let mut changes = adjusted(quantity, at);
    changes.push(Change::Set("updatedBy".into(), by.to_string().into()));
    changes
}

/// The conditions that this much more still fits, in this unit, and that it is the same item.
pub(super) fn fits(existing: &Item, added: Quantity) -> Vec<Condition> {
    let room = Quantity::MAX.hundredths() - added.hundredths();
    let date = "expirationDate";
    vec![
        Condition::Equals("name".into(), existing.details.name.as_str().into()),
        existing.details.expiration.map_or_else(
            || Condition::Absent(date.into()),
            |day| Condition::Equals(date.into(), day.to_string().into()),
        ),
        Condition::Equals("unit".into(), existing.details.unit.as_str().into()),
        Condition::AtMost("quantity".into(), crate::layout::fields::hundredths_number(room)),
    ]
}

impl<E: RecordEngine> ItemStore<E> {
    /// Adds or merges an item, together with another change; `None` if that was refused.
    pub(super) async fn add_or_merge(
        &self,
        scope: Scope,
        new: &Item,
        write: Write<'_>,
        along: Option<&Along<'_>>,
    ) -> Result<Option<AddItem>> {
        let refers = match references::checks(scope.owner(), &new.details, None) {
            Ok(checks) => checks,
            Err(reference) => return Ok(Some(not_found(reference))),
        };
        for _ in 0..MAX_ATTEMPTS {
            let (existing, product) = self.same_item(scope.owner(), &new.details).await?;
            if let Some(existing) = existing {
                // A merge adds only the quantity, but a dangling reference is refused all the same.
                if let Some(reference) = self.missing(&refers).await? {
                    return Ok(Some(not_found(reference)));
                }
                match self.merge_into(scope, &existing, new, write, along).await? {
                    ControlFlow::Break(outcome) => return Ok(outcome),
                    ControlFlow::Continue(()) => continue,
                }
            }
            let refers =
                refers.clone().into_iter().map(|(what, check)| (Step::Refers(what), check));
            let Written { lot, steps, job } = write_new(product.as_ref(), new, None);
            let set = ChangeSet::new()
                .put(Step::Item, item::to_record(&lot), vec![Condition::NotExists])
                .steps(refers)
                .steps(steps.into_iter().map(|(part, action)| (Step::Belongs(part), action)))
                .steps(along.map(|along| (Step::Along, along.action.clone())));
            let rest = along.and_then(|along| along.rest);
            let did = (WriteKind::ITEM_ADDED.with_rest(rest), Step::Item);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => {
                    if let Some(job) = job {
                        self.finish_lots(scope.actor().into(), job, write.at).await?;
                    }
                    return Ok(Some(AddItem::Added(lot)));
                }
                Commit::Failed(Step::Belongs(part), found)
                    if is_full(part, found.as_deref(), &new.details) =>
                {
                    return Ok(Some(AddItem::TooManyLots));
                }
                Commit::Failed(Step::Refers(reference), _) => {
                    return Ok(Some(not_found(reference)));
                }
                Commit::Failed(Step::Along, _) => return Ok(None),
                // The same item was created concurrently: merge into it.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("adding an item"))
    }

    /// The first of these references that is dangling.
    async fn missing(&self, refers: &[(Reference, Action)]) -> Result<Option<Reference>> {
        for (what, action) in refers {
            let Action::Check { key, .. } = action else { continue };
            let place = self.get(key).await?;
            if place.is_none_or(|place| is_deleting(&place)) {
                return Ok(Some(*what));
            }
        }
        Ok(None)
    }

    /// Adds to an existing item, unless it changed and must be read again.
    async fn merge_into(
        &self,
        scope: Scope,
        existing: &Item,
        new: &Item,
        write: Write<'_>,
        along: Option<&Along<'_>>,
    ) -> Result<ControlFlow<Option<AddItem>>> {
        let details = &new.details;
        let added = match merge_amount(&existing.details, details.quantity, &details.unit) {
            Ok(added) => added,
            Err(MergeError::UnitMismatch) => {
                return Ok(ControlFlow::Break(Some(AddItem::UnitMismatch(existing.clone()))));
            }
            Err(MergeError::Overflow) => {
                return Ok(ControlFlow::Break(Some(AddItem::Overflow(existing.clone()))));
            }
        };
        let changes = touch(quantity_number(added), scope.actor(), write.at);
        let item_key = keys::item(scope.owner(), existing.id);
        let set = ChangeSet::new()
            .update(Step::Item, item_key, fits(existing, added), changes)
            .steps(along.map(|along| (Step::Along, along.action.clone())));
        let rest = along.and_then(|along| along.rest);
        let did = (WriteKind::ITEM_MERGED.with_rest(rest), Step::Item);
        match self.commit(scope.actor(), write, set, Some(did)).await? {
            Commit::Done(images) => {
                let merged = images.decode(Step::Item, item::from_record)?;
                Ok(ControlFlow::Break(Some(AddItem::Merged(merged))))
            }
            Commit::Failed(Step::Along, _) => Ok(ControlFlow::Break(None)),
            Commit::Failed(_, _) => Ok(ControlFlow::Continue(())),
        }
    }
}

/// The refusal of an item with a dangling reference.
const fn not_found(reference: Reference) -> AddItem {
    match reference {
        Reference::Location => AddItem::LocationNotFound,
        Reference::Store => AddItem::StoreNotFound,
    }
}
