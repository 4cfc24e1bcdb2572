//! Taps. The common case is one transaction without a prior read of the item: it stores the nonce,
//! changes the quantity, and checks that the tag is still active.

use larder_domain::{Item, Owner};
use larder_storage::{NewTap, Result, Tap, TapDone, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::adjusted,
    adjust_item::{Adjustment, Verdict},
    change_set::{Actor, ChangeSet, Commit},
    contention,
    tag_cache::TagPlace,
};
use crate::{
    Action, Condition, Record, RecordEngine, Table, Value,
    layout::{fields::hundredths_number, item, keys, tag, tap as layout},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Nonce,
    Tag,
    Item,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Taps the tag in this place; the transaction checks that it is still active.
    pub(super) async fn tap_tag(&self, place: TagPlace, tap: NewTap<'_>) -> Result<Tap> {
        let key = keys::item(Owner::Household(place.household), place.item);
        let mut adjustment = Adjustment::new(tap.direction.delta(place.step));
        for _ in 0..MAX_ATTEMPTS {
            let applied_hundredths = adjustment.applied;
            let changes = adjusted(hundredths_number(applied_hundredths), tap.at);
            let set = Self::remember(place, &tap, applied_hundredths, None)
                .update(Step::Item, key.clone(), adjustment.when.clone(), changes)
                .embed(Step::Nonce, layout::RESULT, Step::Item);
            match self.commit(Actor::System, Write::at(tap.at), set, None).await? {
                Commit::Done(images) => {
                    let item = images.decode(Step::Item, item::from_record)?;
                    return Ok(Tap::Done(TapDone { item, applied_hundredths, is_repeated: false }));
                }
                Commit::Failed(Step::Item, Some(record)) => {
                    let current = item::from_record(&record)?;
                    match adjustment.judge(&current) {
                        Verdict::Overflow => return Ok(Tap::Overflow(current)),
                        Verdict::TryAgain => {}
                        Verdict::Nothing => {
                            if let Some(outcome) =
                                self.took_nothing(place, &tap, current, &record).await?
                            {
                                return Ok(outcome);
                            }
                        }
                    }
                }
                Commit::Failed(step, record) => return refused(step, record.as_deref()),
            }
        }
        Err(contention("tapping"))
    }

    /// Stores the outcome of a tap on an empty item; `None` if it is no longer empty.
    async fn took_nothing(
        &self,
        place: TagPlace,
        tap: &NewTap<'_>,
        current: Item,
        record: &Record,
    ) -> Result<Option<Tap>> {
        let key = keys::item(current.owner, current.id);
        let when = vec![Condition::Equals("quantity".into(), hundredths_number(0).into())];
        let table = Table::InventoryManagement;
        let set = Self::remember(place, tap, 0, Some(record))
            .step(Step::Item, Action::Check { table, key, when });
        match self.commit(Actor::System, Write::at(tap.at), set, None).await? {
            Commit::Done(_) => Ok(Some(Tap::Done(TapDone {
                item: current,
                applied_hundredths: 0,
                is_repeated: false,
            }))),
            Commit::Failed(Step::Item, Some(_)) => Ok(None),
            Commit::Failed(step, record) => refused(step, record.as_deref()).map(Some),
        }
    }

    /// The steps that apply a tap once, through a valid tag. `result` is the item after the tap,
    /// unless a later step changes it.
    fn remember(
        place: TagPlace,
        tap: &NewTap<'_>,
        applied_hundredths: i64,
        result: Option<&Record>,
    ) -> ChangeSet<Step> {
        let table = Table::InventoryManagement;
        let nonce = layout::to_record(place.household, tap, applied_hundredths)
            .with_some(layout::RESULT, result.map(|item| Value::M(item.clone())));
        let tag_key = keys::tag(place.household, place.item, tap.url);
        ChangeSet::new()
            .put(Step::Nonce, nonce, vec![Condition::NotExists])
            .step(Step::Tag, Action::Check { table, key: tag_key, when: vec![tag::is_active()] })
    }
}

/// The outcome for a failed step and the record that it found.
fn refused(step: Step, found: Option<&Record>) -> Result<Tap> {
    match (step, found) {
        (Step::Nonce, Some(nonce)) => {
            let (item, applied_hundredths) = layout::from_record(nonce)?;
            Ok(Tap::Done(TapDone { item, applied_hundredths, is_repeated: true }))
        }
        (Step::Tag, Some(_)) => Ok(Tap::Rotated),
        (Step::Tag | Step::Nonce, None) => Ok(Tap::Unknown),
        (Step::Item, _) => Ok(Tap::ItemDeleted),
    }
}
