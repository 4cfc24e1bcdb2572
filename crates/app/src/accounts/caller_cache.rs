//! What is known of callers, for a moment: every request needs it, and it rarely changes.

use jiff::Timestamp;
use larder_domain::{HouseholdId, UserId};

use super::recent::{LoadTicket, Lookup, Recent};
use crate::Caller;

/// Callers as the store gave them a moment ago.
#[derive(Debug, Default)]
pub(crate) struct CallerCache(Recent<UserId, Caller>);

impl CallerCache {
    /// What is known of this user now.
    pub(super) fn look_up(&self, user: UserId, now: Timestamp) -> Lookup<Caller> {
        self.0.look_up(&user, now)
    }

    /// Remembers a caller, unless anything was forgotten since the load began.
    pub(super) fn remember(&self, ticket: LoadTicket, caller: Caller) {
        self.0.remember(ticket, caller.user_id(), caller);
    }

    /// Forgets this user.
    pub(crate) fn forget(&self, user: UserId) {
        self.0.forget(&user);
    }

    /// Forgets everyone who belongs to this household.
    pub(crate) fn forget_household(&self, household: HouseholdId) {
        self.0.forget_where(|caller| {
            caller.membership().is_some_and(|membership| membership.household == household)
        });
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdZone, Role, User};

    use super::*;
    use crate::caller::tests::caller;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn is_known(cache: &CallerCache, user: UserId) -> bool {
        matches!(cache.look_up(user, NOW), Lookup::Known(caller) if caller.user_id() == user)
    }

    /// Remembers someone with this id and role.
    fn remember(cache: &CallerCache, id: u128, role: Option<Role>) -> UserId {
        let user = User { id: UserId::fixed(id), ..caller(role).user().clone() };
        let Lookup::Unknown(ticket) = cache.look_up(user.id, NOW) else { panic!("known") };
        cache.remember(ticket, Caller::new(user, HouseholdZone::UTC));
        UserId::fixed(id)
    }

    #[test]
    fn a_forgotten_caller_is_loaded_again() {
        let cache = CallerCache::default();
        let (one, other) = (remember(&cache, 1, None), remember(&cache, 2, None));
        cache.forget(one);
        assert_eq!((is_known(&cache, one), is_known(&cache, other)), (false, true));
    }

    #[test]
    fn forgetting_a_household_forgets_its_members() {
        let cache = CallerCache::default();
        let member = remember(&cache, 1, Some(Role::Admin));
        let loner = remember(&cache, 2, None);
        cache.forget_household(HouseholdId::fixed(8));
        assert!(is_known(&cache, member));
        cache.forget_household(HouseholdId::fixed(7));
        assert_eq!((is_known(&cache, member), is_known(&cache, loner)), (false, true));
    }
}
