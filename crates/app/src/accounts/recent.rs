//! What was read a moment ago and rarely changes, so that not every request reads it again.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

/// How long a change that another node made may go unnoticed: what a removed member can still do there
/// is bounded by it. Ten seconds are allowed; the rest is for whoever acts on it.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(8);
/// A few megabytes when full.
const MAX_ENTRIES: usize = 10_000;

/// What the store said at most eight seconds ago. Nothing here is needed for correctness across nodes; on
/// this node, what was forgotten stays forgotten, even if someone was just loading it.
#[derive(Debug)]
pub(super) struct Recent<K, V>(Mutex<State<K, V>>);

#[derive(Debug)]
struct State<K, V> {
    entries: HashMap<K, Entry<V>>,
    /// Counts what was forgotten, so that a load from before it is told apart from one after it.
    generation: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    loaded_at: Timestamp,
}

/// What is known of something.
#[derive(Debug)]
pub(super) enum Lookup<V> {
    /// This, and it is fresh.
    Known(V),
    /// Nothing: load it, and bring this back.
    Unknown(LoadTicket),
}

/// Shows when a load began. What was read before something was forgotten must not be remembered after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadTicket {
    generation: u64,
    began_at: Timestamp,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::new(State { entries: HashMap::new(), generation: 0 }))
    }
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// What is known of it now.
    pub(super) fn look_up(&self, key: &K, now: Timestamp) -> Lookup<V> {
        let state = self.lock();
        match state.entries.get(key) {
            Some(entry) if entry.is_fresh(now) => Lookup::Known(entry.value.clone()),
            _ => Lookup::Unknown(LoadTicket { generation: state.generation, began_at: now }),
        }
    }

    /// Remembers what was loaded, unless anything was forgotten since the load began.
    pub(super) fn remember(&self, ticket: LoadTicket, key: K, value: V) {
        let mut state = self.lock();
        if state.generation != ticket.generation {
            return;
        }
        if state.entries.len() >= MAX_ENTRIES && !state.entries.contains_key(&key) {
            state.entries.retain(|_, entry| entry.is_fresh(ticket.began_at));
            // All fresh: loading all of them again now and then is cheaper than keeping an order of use.
            if state.entries.len() >= MAX_ENTRIES {
                state.entries.clear();
            }
        }
        state.entries.insert(key, Entry { value, loaded_at: ticket.began_at });
    }

    /// Forgets this one.
    pub(super) fn forget(&self, key: &K) {
        let mut state = self.lock();
        state.generation += 1;
        state.entries.remove(key);
    }

    /// Forgets all of which this is true.
    pub(super) fn forget_where(&self, mut is_over: impl FnMut(&V) -> bool) {
        let mut state = self.lock();
        state.generation += 1;
        state.entries.retain(|_, entry| !is_over(&entry.value));
    }

    /// No change of the state can stop halfway, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Entry<V> {
    /// A clock that was set back makes everything stale rather than fresh for ever.
    fn is_fresh(&self, now: Timestamp) -> bool {
        (SignedDuration::ZERO..MAX_AGE).contains(&now.duration_since(self.loaded_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    type Names = Recent<usize, &'static str>;

    fn ticket(names: &Names, key: usize) -> LoadTicket {
        match names.look_up(&key, NOW) {
            Lookup::Unknown(ticket) => ticket,
            Lookup::Known(name) => panic!("{name} is known"),
        }
    }

    fn known(names: &Names, key: usize, now: Timestamp) -> Option<&'static str> {
        match names.look_up(&key, now) {
            Lookup::Known(name) => Some(name),
            Lookup::Unknown(_) => None,
        }
    }

    fn with_one() -> Names {
        let names = Names::default();
        names.remember(ticket(&names, 1), 1, "one");
        names
    }

    #[test]
    fn it_is_known_for_eight_seconds_from_the_start_of_the_load() {
        let names = with_one();
        assert_eq!(known(&names, 1, NOW), Some("one"));
        assert_eq!(known(&names, 1, NOW + SignedDuration::from_millis(7_999)), Some("one"));
        assert_eq!(known(&names, 1, NOW + SignedDuration::from_secs(8)), None);
        assert_eq!(known(&names, 1, NOW - SignedDuration::from_millis(1)), None);
    }

    #[test]
    fn what_was_forgotten_is_loaded_again() {
        let names = with_one();
        names.forget(&2);
        assert_eq!(known(&names, 1, NOW), Some("one"));
        names.forget(&1);
        assert_eq!(known(&names, 1, NOW), None);
    }

    #[test]
    fn a_load_that_began_before_the_forgetting_is_not_remembered_after_it() {
        let names = Names::default();
        let early = ticket(&names, 1);
        names.forget(&1);
        let late = ticket(&names, 1);
        names.remember(early, 1, "early");
        assert_eq!(known(&names, 1, NOW), None);
        names.remember(late, 1, "late");
        assert_eq!(known(&names, 1, NOW), Some("late"));
    }

    #[test]
    fn forgetting_some_leaves_the_others_and_no_load_in_progress() {
        let names = with_one();
        names.remember(ticket(&names, 2), 2, "two");
        let loading = ticket(&names, 3);
        names.forget_where(|name| *name == "one");
        names.remember(loading, 3, "three");
        let all = [1, 2, 3].map(|key| known(&names, key, NOW));
        assert_eq!(all, [None, Some("two"), None]);
    }

    #[test]
    fn it_never_holds_more_than_its_bound() {
        let names = Names::default();
        for key in 0..=MAX_ENTRIES {
            names.remember(ticket(&names, key), key, "any");
            assert!(names.lock().entries.len() <= MAX_ENTRIES);
        }
        assert_eq!(known(&names, MAX_ENTRIES, NOW), Some("any"));
    }
}
