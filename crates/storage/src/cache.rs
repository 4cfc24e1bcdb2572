//! One bounded cache for everything that is cached by key.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;

/// Decides whether an entry is still valid. One is taken before an entry is read and stored with
/// it, another at each lookup.
pub trait Stamp: Copy {
    /// Whether a value read at this stamp is valid now.
    fn is_valid(self, now: Self) -> bool;
}

/// Entries never become stale.
impl Stamp for () {
    fn is_valid(self, (): Self) -> bool {
        true
    }
}

/// Entries expire after this many seconds, because other servers may change the source.
#[derive(Debug, Clone, Copy)]
pub struct ReadAt<const LIFETIME_S: i64>(pub Timestamp);

impl<const LIFETIME_S: i64> Stamp for ReadAt<LIFETIME_S> {
    /// Setting the clock back makes entries stale rather than valid for longer.
    fn is_valid(self, now: Self) -> bool {
        let age = now.0.duration_since(self.0);
        (SignedDuration::ZERO..SignedDuration::from_secs(LIFETIME_S)).contains(&age)
    }
}

/// Entries are valid while their source has the version at which they were read.
#[derive(Debug, Clone, Copy)]
pub struct AtVersion<T>(pub T);

impl<T: Copy + PartialEq> Stamp for AtVersion<T> {
    fn is_valid(self, now: Self) -> bool {
        self.0 == now.0
    }
}

/// The outcome of a lookup.
#[derive(Debug)]
pub enum Lookup<V, S> {
    /// A valid entry.
    Hit(V),
    /// There is none. Read the value, and insert it with this ticket.
    Miss(Ticket<S>),
}

/// Proof of when a read began: a value that was read before an invalidation is not inserted after it.
#[derive(Debug, Clone, Copy)]
pub struct Ticket<S> {
    generation: u64,
    stamp: S,
}

/// A bounded map behind a lock, valid as its [`Stamp`] says. Nothing may depend on a hit: a full
/// cache evicts stale entries, or everything if that is too little, because an occasional re-read
/// is cheaper than tracking the order of use.
pub struct Cache<K, V, S = ()> {
    max_weight: usize,
    weigh: fn(&K, &V) -> usize,
    state: Mutex<State<K, V, S>>,
}

struct State<K, V, S> {
    entries: HashMap<K, Entry<V, S>>,
    weight: usize,
    /// The number of invalidations.
    generation: u64,
}

struct Entry<V, S> {
    value: V,
    stamp: S,
    weight: usize,
}

impl<K: Eq + Hash, V, S: Stamp> Cache<K, V, S> {
    /// A cache of at most this many entries.
    pub fn new(max_entries: usize) -> Self {
        Self::weighing(max_entries, |_, _| 1)
    }

    /// A cache of entries that together weigh at most this much.
    pub fn weighing(max_weight: usize, weigh: fn(&K, &V) -> usize) -> Self {
        let state = State { entries: HashMap::new(), weight: 0, generation: 0 };
        Self { max_weight, weigh, state: Mutex::new(state) }
    }

    /// A copy of the entry, if it is valid.
    pub fn look_up(&self, key: &K, now: S) -> Lookup<V, S>
    where
        V: Clone,
    {
        self.look_up_with(key, now, |value| value.clone())
    }

    /// Applies a function to the entry, if it is valid.
    pub fn look_up_with<R>(&self, key: &K, now: S, f: impl FnOnce(&mut V) -> R) -> Lookup<R, S> {
        let mut state = self.lock();
        match state.entries.get_mut(key) {
            Some(entry) if entry.stamp.is_valid(now) => Lookup::Hit(f(&mut entry.value)),
            _ => Lookup::Miss(Ticket { generation: state.generation, stamp: now }),
        }
    }

    /// Copies of the entries that are valid, and a ticket for the others.
    pub fn look_up_all(
        &self,
        keys: impl IntoIterator<Item = K>,
        now: S,
    ) -> (HashMap<K, V>, Ticket<S>)
    where
        V: Clone,
    {
        let state = self.lock();
        let valid = |key: K| {
            let entry = state.entries.get(&key).filter(|entry| entry.stamp.is_valid(now))?;
            Some((key, entry.value.clone()))
        };
        let found = keys.into_iter().filter_map(valid).collect();
        (found, Ticket { generation: state.generation, stamp: now })
    }

    /// A ticket for a value that is about to be read or created.
    pub fn ticket(&self, now: S) -> Ticket<S> {
        Ticket { generation: self.lock().generation, stamp: now }
    }

    /// Applies a function to the entry, valid or not.
    pub fn peek<R>(&self, key: &K, f: impl FnOnce(&V) -> R) -> Option<R> {
        self.lock().entries.get(key).map(|entry| f(&entry.value))
    }

    /// Changes the entry, if there is one. Its validity stays the same.
    pub fn update(&self, key: &K, f: impl FnOnce(&mut V)) {
        if let Some(entry) = self.lock().entries.get_mut(key) {
            f(&mut entry.value);
        }
    }

    /// Inserts a value, unless anything was invalidated since its read began.
    pub fn insert(&self, ticket: Ticket<S>, key: K, value: V) {
        let Ticket { generation, stamp } = ticket;
        let weight = (self.weigh)(&key, &value);
        let mut state = self.lock();
        if state.generation != generation {
            return;
        }
        state.remove(&key);
        let Some(room) = self.max_weight.checked_sub(weight) else { return };
        if state.weight > room {
            state.retain(|entry| entry.stamp.is_valid(stamp));
            // With less than a quarter of it free, one of the next insertions would do the same again.
            if state.weight > room - room / 4 {
                state.retain(|_| false);
            }
        }
        state.weight += weight;
        state.entries.insert(key, Entry { value, stamp, weight });
    }

    /// Removes an entry, because its source changed or may have changed. Called before the change
    /// returns.
    pub fn invalidate(&self, key: &K) {
        let mut state = self.lock();
        state.generation += 1;
        state.remove(key);
    }

    /// Removes every entry of which this is true.
    pub fn invalidate_where(&self, is_stale: impl Fn(&V) -> bool) {
        let mut state = self.lock();
        state.generation += 1;
        state.retain(|entry| !is_stale(&entry.value));
    }

    /// Locks the state even if a holder panicked: the map is intact, and a lost entry is read again.
    fn lock(&self) -> MutexGuard<'_, State<K, V, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V, S> State<K, V, S> {
    fn remove(&mut self, key: &K) {
        if let Some(entry) = self.entries.remove(key) {
            self.weight -= entry.weight;
        }
    }

    fn retain(&mut self, is_kept: impl Fn(&Entry<V, S>) -> bool) {
        self.entries.retain(|_, entry| is_kept(entry));
        self.weight = self.entries.values().map(|entry| entry.weight).sum();
    }
}
