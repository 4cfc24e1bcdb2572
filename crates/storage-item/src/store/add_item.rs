//! Adding an item, or merging it. Two clients that add the same item concurrently conflict on its
//! unique key: one creates the item, the other merges into it.

use std::ops::ControlFlow;

use larder_domain::{Item, MergeError, Quantity, UserId, merge_amount};
use larder_storage::{AddItem, Result, Scope, Write, WriteKind};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
    references::{self, Reference},
};
use crate::{
    Action, Change, Condition, Number, Record, RecordEngine,
    layout::{
        fields::{quantity_number, timestamp_text},
        item, keys,
        places::is_deleting,
        unique::{self, UniqueKey},
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    MergeKey,
    Refers(Reference),
    Along,
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

/// The conditions that this much more still fits, in this unit.
pub(super) fn fits(existing: &Item, added: Quantity) -> Vec<Condition> {
    let room = Quantity::MAX.hundredths() - added.hundredths();
    vec![
        Condition::Equals("unit".into(), existing.details.unit.as_str().into()),
        Condition::AtMost("quantity".into(), crate::layout::fields::hundredths_number(room)),
    ]
}

impl<E: RecordEngine> ItemStore<E> {
    /// The item that holds a unique key.
    pub(super) async fn find_item_by_key(
        &self,
        scope: Scope,
        key: &UniqueKey,
    ) -> Result<Option<Item>> {
        let Some(held) = self.get_unique(&key.key()).await? else { return Ok(None) };
        let id = unique::holder(&held)?;
        let record: Option<Record> = self.get(&keys::item(scope.owner(), id)).await?;
        record.as_ref().map(item::from_record).transpose()
    }

    /// Adds or merges an item, together with another change; `None` if that was refused.
    pub(super) async fn add_or_merge(
        &self,
        scope: Scope,
        new: &Item,
        write: Write<'_>,
        along: Option<&Action>,
    ) -> Result<Option<AddItem>> {
        let refers = match references::checks(scope.owner(), &new.details, None) {
            Ok(checks) => checks,
            Err(reference) => return Ok(Some(not_found(reference))),
        };
        let key = unique::merge_key(scope.owner(), &new.details);
        for _ in 0..MAX_ATTEMPTS {
            if let Some(existing) = self.find_item_by_key(scope, &key).await? {
                // A merge adds only the quantity, but a dangling reference is refused all the same.
                if let Some(reference) = self.missing(&refers).await? {
                    return Ok(Some(not_found(reference)));
                }
                match self.merge_into(scope, &key, &existing, new, write, along).await? {
                    ControlFlow::Break(outcome) => return Ok(outcome),
                    ControlFlow::Continue(()) => continue,
                }
            }
            let refers =
                refers.clone().into_iter().map(|(what, check)| (Step::Refers(what), check));
            let set = ChangeSet::new()
                .step(Step::MergeKey, key.take(new.id, write.at))
                .put(Step::Item, item::to_record(new), vec![Condition::NotExists])
                .steps(refers)
                .steps(along.map(|action| (Step::Along, action.clone())));
            let did = (WriteKind::ITEM_ADDED, Step::Item);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => return Ok(Some(AddItem::Added(new.clone()))),
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
        key: &UniqueKey,
        existing: &Item,
        new: &Item,
        write: Write<'_>,
        along: Option<&Action>,
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
            .step(Step::MergeKey, key.check(existing.id))
            .steps(along.map(|action| (Step::Along, action.clone())));
        let did = (WriteKind::ITEM_MERGED, Step::Item);
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
