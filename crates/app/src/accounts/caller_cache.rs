//! What is known of callers, for a moment: every request needs it, and it rarely changes.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{HouseholdId, UserId};

use crate::Caller;

/// How long a change that another node made may go unnoticed: what a removed member can still do there
/// is bounded by it. Ten seconds are allowed; the rest is for whoever acts on it.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(8);
/// About 5 MB when full.
const MAX_ENTRIES: usize = 10_000;

/// Callers as the store gave them at most eight seconds ago. Nothing here is needed for correctness across
/// nodes; on this node, what was forgotten stays forgotten, even if someone was just loading it.
#[derive(Debug, Default)]
pub(crate) struct CallerCache(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    entries: HashMap<UserId, Entry>,
    /// Counts what was forgotten, so that a load from before it is told apart from one after it.
    generation: u64,
}

#[derive(Debug)]
struct Entry {
    caller: Caller,
    loaded_at: Timestamp,
}

/// What is known of a caller.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// This, and it is fresh.
    Known(Caller),
    /// Nothing: load them, and bring this back.
    Unknown(LoadTicket),
}

/// Shows when a load began. What was read before something was forgotten must not be remembered after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadTicket {
    generation: u64,
    began_at: Timestamp,
}

impl CallerCache {
    /// What is known of this user now.
    pub(crate) fn look_up(&self, user: UserId, now: Timestamp) -> Lookup {
        let state = self.lock();
        match state.entries.get(&user) {
            Some(entry) if entry.is_fresh(now) => Lookup::Known(entry.caller.clone()),
            _ => Lookup::Unknown(LoadTicket { generation: state.generation, began_at: now }),
        }
    }

    /// Remembers a caller, unless anything was forgotten since the load began.
    pub(crate) fn remember(&self, ticket: LoadTicket, caller: Caller) {
        let mut state = self.lock();
        if state.generation != ticket.generation {
            return;
        }
        let user = caller.user_id();
        if state.entries.len() >= MAX_ENTRIES && !state.entries.contains_key(&user) {
            state.entries.retain(|_, entry| entry.is_fresh(ticket.began_at));
            // All fresh: loading everyone again now and then is cheaper than keeping an order of use.
            if state.entries.len() >= MAX_ENTRIES {
                state.entries.clear();
            }
        }
        state.entries.insert(user, Entry { caller, loaded_at: ticket.began_at });
    }

    /// Forgets this user.
    pub(crate) fn forget(&self, user: UserId) {
        let mut state = self.lock();
        state.generation += 1;
        state.entries.remove(&user);
    }

    /// Forgets everyone who belongs to this household.
    pub(crate) fn forget_household(&self, household: HouseholdId) {
        let mut state = self.lock();
        state.generation += 1;
        state.entries.retain(|_, entry| {
            entry.caller.membership().is_none_or(|membership| membership.household != household)
        });
    }

    /// No change of the state can stop halfway, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// A clock that was set back makes everything stale rather than fresh for ever.
    fn is_fresh(&self, now: Timestamp) -> bool {
        (SignedDuration::ZERO..MAX_AGE).contains(&now.duration_since(self.loaded_at))
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdZone, Role, User};

    use super::*;
    use crate::caller::tests::caller;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn numbered(id: u128) -> Caller {
        let someone = caller(Some(Role::Admin));
        let user = User { id: UserId::fixed(id), ..someone.user().clone() };
        Caller::new(user, HouseholdZone::UTC)
    }

    fn ticket(cache: &CallerCache, user: UserId, now: Timestamp) -> LoadTicket {
        match cache.look_up(user, now) {
            Lookup::Unknown(ticket) => ticket,
            Lookup::Known(caller) => panic!("{caller:?} is known"),
        }
    }

    fn is_known(cache: &CallerCache, user: UserId, now: Timestamp) -> bool {
        matches!(cache.look_up(user, now), Lookup::Known(caller) if caller.user_id() == user)
    }

    fn with_one() -> (CallerCache, UserId) {
        let (cache, user) = (CallerCache::default(), UserId::fixed(1));
        cache.remember(ticket(&cache, user, NOW), numbered(1));
        (cache, user)
    }

    #[test]
    fn a_caller_is_known_for_eight_seconds_from_the_start_of_the_load() {
        let (cache, user) = with_one();
        assert!(is_known(&cache, user, NOW));
        assert!(is_known(&cache, user, NOW + SignedDuration::from_millis(7_999)));
        assert!(!is_known(&cache, user, NOW + SignedDuration::from_secs(8)));
        assert!(!is_known(&cache, user, NOW - SignedDuration::from_millis(1)));
    }

    #[test]
    fn a_forgotten_caller_is_loaded_again() {
        let (cache, user) = with_one();
        cache.forget(UserId::fixed(2));
        assert!(is_known(&cache, user, NOW));
        cache.forget(user);
        assert!(!is_known(&cache, user, NOW));
    }

    #[test]
    fn a_load_that_began_before_the_forgetting_is_not_remembered_after_it() {
        let (cache, user) = (CallerCache::default(), UserId::fixed(1));
        let early = ticket(&cache, user, NOW);
        cache.forget(user);
        let late = ticket(&cache, user, NOW);
        cache.remember(early, numbered(1));
        assert!(!is_known(&cache, user, NOW));
        cache.remember(late, numbered(1));
        assert!(is_known(&cache, user, NOW));
    }

    #[test]
    fn forgetting_a_household_forgets_its_members_and_loads_in_progress() {
        let (cache, member) = with_one();
        let loner = caller(None);
        let loner =
            Caller::new(User { id: UserId::fixed(2), ..loner.user().clone() }, HouseholdZone::UTC);
        cache.remember(ticket(&cache, loner.user_id(), NOW), loner.clone());
        let loading = ticket(&cache, UserId::fixed(3), NOW);
        cache.forget_household(HouseholdId::fixed(7));
        cache.remember(loading, numbered(3));
        assert!(!is_known(&cache, member, NOW));
        assert!(!is_known(&cache, UserId::fixed(3), NOW));
        assert!(is_known(&cache, loner.user_id(), NOW));
    }

    #[test]
    fn it_never_holds_more_than_its_bound() {
        let cache = CallerCache::default();
        for id in 0..=MAX_ENTRIES as u128 {
            cache.remember(ticket(&cache, UserId::fixed(id), NOW), numbered(id));
            assert!(cache.lock().entries.len() <= MAX_ENTRIES);
        }
        assert!(is_known(&cache, UserId::fixed(MAX_ENTRIES as u128), NOW));
    }
}
