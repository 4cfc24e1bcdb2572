//! Many adjustments in one line: twenty taps are one step to people.

use jiff::{SignedDuration, Timestamp, civil::Date};

use crate::{Item, ItemDetails, ItemId, Quantity, UserId, Versions, Zone};

/// Adjustments in the same direction that follow within this time are told together.
const TOGETHER: SignedDuration = SignedDuration::from_mins(1);

/// A change, as far as it matters for telling it together with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunStep {
    by: Option<UserId>,
    at: Timestamp,
    item: Option<ItemId>,
    /// Before and after, if nothing but the quantity of an item changed.
    quantity: Option<(Quantity, Quantity)>,
}

impl RunStep {
    /// A change of this item (`None`: of something else).
    pub fn of(item: Option<&Versions<Item>>, by: Option<UserId>, at: Timestamp) -> Self {
        let id = item.and_then(|it| it.new.as_ref().or(it.old.as_ref())).map(|it| it.id);
        Self { by, at, item: id, quantity: item.and_then(adjusted) }
    }

    fn takes(&self) -> bool {
        self.quantity.is_some_and(|(old, new)| new < old)
    }

    /// Whether this is told together with a later one by the same person.
    fn belongs_to(&self, later: &Self, today: Date, zone: &Zone) -> bool {
        let is_soon = later.at.duration_since(self.at) <= TOGETHER;
        let (day, later_day) = (zone.day_of(self.at), zone.day_of(later.at));
        (is_soon && self.takes() == later.takes()) || (day == later_day && day < today)
    }
}

/// The quantity before and after a change of nothing else.
fn adjusted(change: &Versions<Item>) -> Option<(Quantity, Quantity)> {
    let (old, new) = (&change.old.as_ref()?.details, &change.new.as_ref()?.details);
    let is_all = ItemDetails { quantity: new.quantity, ..old.clone() } == *new;
    (is_all && old.quantity != new.quantity).then_some((old.quantity, new.quantity))
}

/// Changes that are told in one line: one change of any kind, or adjustments of one item by one
/// person or tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run<T> {
    /// The newest of them.
    pub newest: T,
    /// How many they are.
    pub count: usize,
    /// The time of the oldest.
    pub since: Timestamp,
    /// What the adjustments took, all together.
    pub taken: Quantity,
    /// What they added.
    pub added: Quantity,
    oldest: RunStep,
}

impl<T> Run<T> {
    fn of(newest: T, step: RunStep) -> Self {
        let zero = Quantity::ZERO;
        let run = Self { newest, count: 0, since: step.at, taken: zero, added: zero, oldest: step };
        run.and(step)
    }

    fn and(mut self, step: RunStep) -> Self {
        self.grow(step);
        self
    }

    fn grow(&mut self, step: RunStep) {
        self.count += 1;
        (self.since, self.oldest) = (step.at, step);
        let Some((old, new)) = step.quantity else { return };
        let sum = if step.takes() { &mut self.taken } else { &mut self.added };
        let much = (old.hundredths() - new.hundredths()).abs();
        let much = Quantity::from_hundredths(much).unwrap_or(Quantity::MAX);
        *sum = sum.checked_add(much).unwrap_or(Quantity::MAX);
    }
}

/// Changes as they are told, put together from the newest on.
///
/// Adjustments of one item by one person are one line if each follows the one before within a
/// minute in the same direction, or if they are of one day before today. Whatever else happens to
/// the item ends the line; what others do to it at the same time does not.
#[derive(Debug)]
pub struct Runs<T> {
    lines: Vec<Run<T>>,
    most: usize,
    today: Date,
    zone: Zone,
}

impl<T> Runs<T> {
    /// None yet, and never more than `most`.
    pub const fn new(most: usize, today: Date, zone: Zone) -> Self {
        Self { lines: Vec::new(), most, today, zone }
    }

    /// Takes the change that is older than all before. `false` if it would begin a line too many.
    pub fn add(&mut self, change: T, step: RunStep) -> bool {
        if let Some(run) = self.run_of(&step) {
            run.grow(step);
            return true;
        }
        if self.lines.len() == self.most {
            return false;
        }
        self.lines.push(Run::of(change, step));
        true
    }

    /// The lines, newest first.
    pub fn into_vec(self) -> Vec<Run<T>> {
        self.lines
    }

    /// The line to which a change belongs.
    fn run_of(&mut self, step: &RunStep) -> Option<&mut Run<T>> {
        step.quantity?;
        let mut of_item = self.lines.iter_mut().rev().filter(|run| run.oldest.item == step.item);
        let is_next = |run: &&mut Run<T>| run.oldest.quantity.is_none() || run.oldest.by == step.by;
        let run = of_item.find(is_next)?;
        let later = &run.oldest;
        let belongs = later.quantity.is_some() && step.belongs_to(later, self.today, &self.zone);
        belongs.then_some(run)
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;

    use super::*;
    use crate::{Notes, Owner, item::tests::details};

    const ANNA: Option<UserId> = Some(UserId::fixed(1));
    const BEN: Option<UserId> = Some(UserId::fixed(2));
    const TAG: Option<UserId> = None;

    fn item(id: u128, quantity: i64) -> Item {
        let quantity = Quantity::from_hundredths(quantity * 100).unwrap();
        let details = ItemDetails { quantity, ..details("Eggs", "1", "pcs") };
        Item::new(
            ItemId::fixed(id),
            Owner::User(UserId::fixed(1)),
            details,
            UserId::fixed(1),
            at(0),
        )
    }

    /// Seconds after noon of a day.
    fn at(seconds: i64) -> Timestamp {
        "2026-03-02T12:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_secs(seconds)
    }

    fn tap(by: Option<UserId>, seconds: i64, old: i64, new: i64) -> RunStep {
        of_item(7, by, seconds, old, new)
    }

    fn of_item(id: u128, by: Option<UserId>, seconds: i64, old: i64, new: i64) -> RunStep {
        let versions = Versions { old: Some(item(id, old)), new: Some(item(id, new)) };
        RunStep::of(Some(&versions), by, at(seconds))
    }

    fn edit(seconds: i64) -> RunStep {
        let (old, mut new) = (item(7, 3), item(7, 2));
        new.details.notes = Notes::parse("open").ok();
        RunStep::of(Some(&Versions { old: Some(old), new: Some(new) }), ANNA, at(seconds))
    }

    /// The lines of changes (newest first), each as the place of its newest change and how many it
    /// has, on the day that begins this many days after the first second.
    fn told(changes: &[RunStep], days: i64) -> Vec<(usize, usize)> {
        let today = Zone::UTC.day_of(at(0)).checked_add(days.days()).unwrap();
        let mut runs = Runs::new(100, today, Zone::UTC);
        for (place, step) in changes.iter().enumerate() {
            assert!(runs.add(place, *step));
        }
        runs.into_vec().iter().map(|run| (run.newest, run.count)).collect()
    }

    #[test]
    fn twenty_taps_are_one_line_with_their_sum_and_span() {
        let mut runs = Runs::new(1, Zone::UTC.day_of(at(0)), Zone::UTC);
        for n in 0..20 {
            assert!(runs.add(n, tap(ANNA, -60 * n, 3 + n, 4 + n)), "{n}");
        }
        assert!(!runs.add(20, tap(BEN, -1260, 23, 22)), "a line too many");
        let told = runs.into_vec();
        let [run] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((run.newest, run.count, run.since), (0, 20, at(-1140)));
        assert_eq!((run.taken, run.added), (Quantity::ZERO, Quantity::whole(20)));
    }

    #[test]
    fn a_pause_another_direction_and_another_person_are_lines_of_their_own() {
        let paused = [tap(ANNA, 61, 2, 1), tap(ANNA, 0, 3, 2)];
        assert_eq!(told(&paused, 0), [(0, 1), (1, 1)]);
        let turned = [tap(ANNA, 2, 3, 2), tap(ANNA, 1, 2, 3), tap(ANNA, 0, 3, 2)];
        assert_eq!(told(&turned, 0), [(0, 1), (1, 1), (2, 1)], "a tap and its undoing");
        let of_two = [tap(ANNA, 2, 3, 2), tap(TAG, 1, 4, 3), tap(BEN, 0, 5, 4)];
        assert_eq!(told(&of_two, 0), [(0, 1), (1, 1), (2, 1)]);
    }

    #[test]
    fn two_who_take_at_once_are_two_lines_and_so_are_two_items() {
        let of_two = [tap(ANNA, 3, 2, 1), tap(BEN, 2, 3, 2), tap(ANNA, 1, 4, 3), tap(BEN, 0, 5, 4)];
        assert_eq!(told(&of_two, 0), [(0, 2), (1, 2)]);
        let tapped = |id, seconds, old| of_item(id, TAG, seconds, old, old - 1);
        let of_two = [tapped(7, 3, 2), tapped(8, 2, 9), tapped(7, 1, 3), tapped(8, 0, 10)];
        assert_eq!(told(&of_two, 0), [(0, 2), (1, 2)]);
    }

    #[test]
    fn an_edit_between_ends_the_line() {
        let changes = [tap(ANNA, 2, 2, 1), edit(1), tap(ANNA, 0, 4, 3)];
        assert_eq!(told(&changes, 0), [(0, 1), (1, 1), (2, 1)]);
        assert_eq!(told(&changes, 9), [(0, 1), (1, 1), (2, 1)]);
    }

    #[test]
    fn a_day_before_today_is_one_line_for_each_who_took_or_added() {
        let hour = 3_600;
        let changes = [
            tap(ANNA, 9 * hour, 4, 5),
            tap(ANNA, 5 * hour, 5, 4),
            tap(BEN, 4 * hour, 6, 5),
            tap(ANNA, 0, 8, 6),
            tap(ANNA, -20 * hour, 9, 8),
        ];
        assert_eq!(told(&changes, 0), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(told(&changes, 1), [(0, 3), (2, 1), (4, 1)]);
        let mut runs = Runs::new(9, Zone::UTC.day_of(at(86_400)), Zone::UTC);
        assert!(changes.into_iter().all(|step| runs.add((), step)));
        let run = &runs.into_vec()[0];
        assert_eq!((run.taken, run.added), (Quantity::whole(3), Quantity::ONE));
    }

    #[test]
    fn the_day_is_that_of_the_household() {
        let tokyo = Zone::parse("Asia/Tokyo").unwrap();
        // 21:00 and 23:59 there, and ten past midnight.
        let seconds = [3 * 3_600 + 600, 3 * 3_600 - 60, 0];
        let mut runs = Runs::new(9, tokyo.day_of(at(86_400)), tokyo);
        for (n, seconds) in seconds.into_iter().enumerate() {
            let left = i64::try_from(n).unwrap();
            assert!(runs.add(n, tap(ANNA, seconds, left + 1, left)));
        }
        let told: Vec<_> = runs.into_vec().iter().map(|run| (run.newest, run.count)).collect();
        assert_eq!(told, [(0, 1), (1, 2)]);
    }

    #[test]
    fn what_is_no_adjustment_is_never_told_together() {
        let added = RunStep::of(Some(&Versions { old: None, new: Some(item(7, 1)) }), ANNA, at(0));
        let same = tap(ANNA, 0, 1, 1);
        let other = RunStep::of(None, ANNA, at(0));
        for step in [added, same, other] {
            assert_eq!(told(&[step, step], 1), [(0, 1), (1, 1)], "{step:?}");
        }
    }
}
