use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const LIFETIME_S: i64 = 8;

type Names = Cache<u8, &'static str, ReadAt<LIFETIME_S>>;

fn at_ms(ms: i64) -> ReadAt<LIFETIME_S> {
    ReadAt(Timestamp::from_millisecond(ms).unwrap())
}

fn find(names: &Names, key: u8, at: i64) -> Option<&'static str> {
    match names.look_up(&key, at_ms(at)) {
        Lookup::Hit(name) => Some(name),
        Lookup::Miss(_) => None,
    }
}

fn with_one() -> Names {
    let names = Names::new(10);
    names.insert(names.ticket(at_ms(0)), 1, "one");
    names
}

#[test]
fn an_entry_expires_after_its_lifetime_and_when_the_clock_is_set_back() {
    let names = with_one();
    let found = [0, 7_999, 8_000, -1].map(|at| find(&names, 1, at));
    assert_eq!(found, [Some("one"), Some("one"), None, None]);
}

#[test]
fn an_expired_entry_can_be_peeked_at_and_updated_without_becoming_valid() {
    let names = with_one();
    names.update(&1, |name| *name = "uno");
    names.update(&2, |name| *name = "due");
    assert_eq!(find(&names, 1, 9_000), None);
    assert_eq!([1, 2].map(|key| names.peek(&key, |name| *name)), [Some("uno"), None]);
}

#[test]
fn an_entry_is_valid_while_the_version_is_the_same() {
    let cache = Cache::new(10);
    cache.insert(cache.ticket(AtVersion(7)), 1, "one");
    assert!(matches!(cache.look_up(&1, AtVersion(7)), Lookup::Hit("one")));
    for version in [6, 8] {
        assert!(matches!(cache.look_up(&1, AtVersion(version)), Lookup::Miss(_)), "{version}");
    }
}

#[test]
fn a_hit_can_change_its_entry() {
    let names = with_one();
    let change = |name: &mut &'static str| std::mem::replace(name, "uno");
    assert!(matches!(names.look_up_with(&1, at_ms(0), change), Lookup::Hit("one")));
    assert_eq!(find(&names, 1, 0), Some("uno"));
}

#[test]
fn several_entries_are_found_at_once_and_one_ticket_is_for_the_rest() {
    let names = with_one();
    let (found, ticket) = names.look_up_all([1, 2], at_ms(5_000));
    assert_eq!(found, HashMap::from([(1, "one")]));
    names.insert(ticket, 2, "two");
    assert_eq!(names.look_up_all([1, 2], at_ms(9_000)).0, HashMap::from([(2, "two")]));
}

#[test]
fn a_read_that_began_before_an_invalidation_is_not_inserted_after_it() {
    let names = with_one();
    let Lookup::Miss(early) = names.look_up(&2, at_ms(0)) else { panic!("nothing was inserted") };
    names.invalidate(&1);
    names.insert(early, 2, "early");
    assert_eq!([1, 2].map(|key| find(&names, key, 0)), [None, None]);
    names.insert(names.ticket(at_ms(0)), 2, "late");
    names.insert(names.ticket(at_ms(0)), 3, "three");
    let early = names.ticket(at_ms(0));
    names.invalidate_where(|name| *name == "late");
    names.insert(early, 4, "early");
    assert_eq!([2, 3, 4].map(|key| find(&names, key, 0)), [None, Some("three"), None]);
}

#[test]
fn a_full_cache_evicts_the_stale_entries_or_else_all() {
    let names = Names::new(3);
    for (key, at) in [(1, 0), (2, 5_000), (3, 5_000), (4, 9_000)] {
        names.insert(names.ticket(at_ms(at)), key, "any");
    }
    let held = |names: &Names| (1..=5).filter(|key| names.peek(key, |_| ()).is_some()).collect();
    let first: Vec<u8> = held(&names);
    names.insert(names.ticket(at_ms(9_000)), 3, "again");
    let replaced: Vec<u8> = held(&names);
    names.insert(names.ticket(at_ms(9_000)), 5, "any");
    let last: Vec<u8> = held(&names);
    assert_eq!((first, replaced, last), (vec![2, 3, 4], vec![2, 3, 4], vec![5]));
}

#[test]
fn a_cache_with_few_stale_entries_evicts_all() {
    let names = Names::new(8);
    for (key, at) in (1..=8).zip([0, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000]) {
        names.insert(names.ticket(at_ms(at)), key, "any");
    }
    names.insert(names.ticket(at_ms(9_000)), 9, "nine");
    assert_eq!(names.look_up_all(1..=9, at_ms(9_000)).0, HashMap::from([(9, "nine")]));
}

#[test]
fn an_entry_that_alone_is_too_heavy_leaves_the_others() {
    let cache: Cache<u8, Vec<u8>> = Cache::weighing(10, |_, bytes| bytes.len());
    for (key, length) in [(1, 4), (2, 6), (3, 11)] {
        cache.insert(cache.ticket(()), key, vec![0; length]);
    }
    assert_eq!([1, 2, 3].map(|key| cache.peek(&key, Vec::len)), [Some(4), Some(6), None]);
}

#[derive(Debug, Clone)]
enum Step {
    TakeTicket,
    /// Inserts with one of the tickets that were taken.
    Insert {
        ticket: prop::sample::Index,
        key: u8,
        value: usize,
    },
    Invalidate(u8),
    InvalidateOdd,
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::TakeTicket),
        4 => (any::<prop::sample::Index>(), 0..6_u8, 0..6_usize)
            .prop_map(|(ticket, key, value)| Step::Insert { ticket, key, value }),
        1 => (0..6_u8).prop_map(Step::Invalidate),
        1 => Just(Step::InvalidateOdd),
        2 => (0..5_000_i64).prop_map(Step::Wait),
    ]
}

proptest! {
    /// The model is unbounded: a cache with room for all agrees with it, and a smaller one never
    /// finds other values.
    #[test]
    fn a_cache_agrees_with_a_model(steps in prop::collection::vec(step(), 1..60), max in 1..40_usize) {
        let cache: Cache<u8, usize, ReadAt<LIFETIME_S>> = Cache::weighing(max, |_, value| *value);
        let mut model: BTreeMap<u8, (usize, i64)> = BTreeMap::new();
        let (mut now, mut invalidations) = (0, 0);
        let mut tickets = vec![(cache.ticket(at_ms(now)), now, invalidations)];
        for step in steps {
            match step {
                Step::TakeTicket => tickets.push((cache.ticket(at_ms(now)), now, invalidations)),
                Step::Insert { ticket, key, value } => {
                    let (ticket, taken_at, seen) = *ticket.get(&tickets);
                    cache.insert(ticket, key, value);
                    if seen == invalidations {
                        model.insert(key, (value, taken_at));
                    }
                }
                Step::Invalidate(key) => {
                    invalidations += 1;
                    cache.invalidate(&key);
                    model.remove(&key);
                }
                Step::InvalidateOdd => {
                    invalidations += 1;
                    cache.invalidate_where(|value| value % 2 == 1);
                    model.retain(|_, (value, _)| *value % 2 == 0);
                }
                Step::Wait(ms) => now += ms,
            }
            let mut weight = 0;
            for key in 0..6 {
                let expected = model.get(&key).filter(|(_, at)| now - at < LIFETIME_S * 1000);
                let found = match cache.look_up(&key, at_ms(now)) {
                    Lookup::Hit(value) => Some(value),
                    Lookup::Miss(_) => None,
                };
                weight += cache.peek(&key, |value| *value).unwrap_or(0);
                if max >= 6 * 5 || found.is_some() {
                    prop_assert_eq!(found, expected.map(|(value, _)| *value));
                }
            }
            prop_assert!(weight <= max);
            prop_assert_eq!(weight, cache.lock().weight);
        }
    }
}
