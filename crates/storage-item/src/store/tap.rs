//! Taps. The common case is one transaction without a prior read of the item: it stores the nonce,
//! changes the quantity, and checks that the tag is still active and has the step that was assumed.

use larder_domain::{Item, Owner, TagStep};
use larder_storage::{Lookup, NewTap, Result, Tap, TapDone, Write};

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

/// What came of one attempt.
enum Attempt {
    Over(Box<Tap>),
    /// The item has changed.
    Again,
    /// The tag has another step.
    WithStep(TagStep),
}

impl Attempt {
    fn over(outcome: Tap) -> Self {
        Self::Over(Box::new(outcome))
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Taps the tag in this place; the transaction checks that it is still active.
    pub(super) async fn tap_tag(&self, mut place: TagPlace, tap: NewTap<'_>) -> Result<Tap> {
        let key = keys::item(Owner::Household(place.household), place.item);
        let mut adjustment = Adjustment::new(tap.direction.delta(place.step));
        for _ in 0..MAX_ATTEMPTS {
            let applied_hundredths = adjustment.applied;
            let changes = adjusted(hundredths_number(applied_hundredths), tap.at);
            let set = Self::remember(place, &tap, applied_hundredths, None)
                .update(Step::Item, key.clone(), adjustment.when.clone(), changes)
                .embed(Step::Nonce, layout::RESULT, Step::Item);
            let attempt = match self.commit(Actor::System, Write::at(tap.at), set, None).await? {
                Commit::Done(images) => {
                    let item = images.decode(Step::Item, item::from_record)?;
                    Attempt::over(Tap::Done(TapDone {
                        item,
                        applied_hundredths,
                        is_repeated: false,
                    }))
                }
                Commit::Failed(Step::Item, Some(record)) => {
                    let current = item::from_record(&record)?;
                    match adjustment.judge(&current) {
                        Verdict::Overflow => Attempt::over(Tap::Overflow(current)),
                        Verdict::TryAgain => Attempt::Again,
                        Verdict::Nothing => {
                            self.took_nothing(place, &tap, current, &record).await?
                        }
                    }
                }
                Commit::Failed(step, record) => {
                    self.refused(place, &tap, step, record.as_deref()).await?
                }
            };
            match attempt {
                Attempt::Over(outcome) => return Ok(*outcome),
                Attempt::Again => {}
                Attempt::WithStep(step) => {
                    place.step = step;
                    adjustment = Adjustment::new(tap.direction.delta(step));
                    self.keep_place(&tap, place);
                }
            }
        }
        Err(contention("tapping"))
    }

    /// Stores the outcome of a tap on an empty item, unless it is no longer empty.
    async fn took_nothing(
        &self,
        place: TagPlace,
        tap: &NewTap<'_>,
        current: Item,
        record: &Record,
    ) -> Result<Attempt> {
        let key = keys::item(current.owner, current.id);
        let when = vec![Condition::Equals("quantity".into(), hundredths_number(0).into())];
        let table = Table::InventoryManagement;
        let set = Self::remember(place, tap, 0, Some(record))
            .step(Step::Item, Action::Check { table, key, when });
        match self.commit(Actor::System, Write::at(tap.at), set, None).await? {
            Commit::Done(_) => Ok(Attempt::over(Tap::Done(TapDone {
                item: current,
                applied_hundredths: 0,
                is_repeated: false,
            }))),
            Commit::Failed(Step::Item, Some(_)) => Ok(Attempt::Again),
            Commit::Failed(step, record) => self.refused(place, tap, step, record.as_deref()).await,
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
        let key = keys::tag(place.household, place.item, tap.url);
        let when = vec![tag::is_active(), tag::has_step(place.step)];
        ChangeSet::new()
            .put(Step::Nonce, nonce, vec![Condition::NotExists])
            .step(Step::Tag, Action::Check { table, key, when })
    }

    /// The outcome for a failed step and the record that it found.
    async fn refused(
        &self,
        place: TagPlace,
        tap: &NewTap<'_>,
        step: Step,
        found: Option<&Record>,
    ) -> Result<Attempt> {
        Ok(match (step, found) {
            (Step::Nonce, Some(nonce)) => {
                // A deleted tag has no results to repeat.
                let key = keys::tag(place.household, place.item, tap.url);
                if self.get(&key).await?.is_none() {
                    return Ok(Attempt::over(Tap::Unknown));
                }
                let (item, applied_hundredths) = layout::from_record(nonce)?;
                Attempt::over(Tap::Done(TapDone { item, applied_hundredths, is_repeated: true }))
            }
            (Step::Tag, Some(record)) => {
                let tag = tag::from_record(record)?;
                if tag.is_active() {
                    Attempt::WithStep(tag.step)
                } else {
                    Attempt::over(Tap::Rotated)
                }
            }
            (Step::Tag | Step::Nonce, None) => Attempt::over(Tap::Unknown),
            (Step::Item, _) => Attempt::over(Tap::ItemDeleted),
        })
    }

    /// Replaces the cached place of a tag whose step has changed, because the index may lag.
    fn keep_place(&self, tap: &NewTap<'_>, place: TagPlace) {
        self.tag_places.invalidate(&tap.url);
        if let Lookup::Miss(ticket) = self.tag_places.look_up(&tap.url, ()) {
            self.tag_places.insert(ticket, tap.url, place);
        }
    }
}
