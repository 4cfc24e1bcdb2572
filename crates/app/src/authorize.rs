//! The only place where scopes are made: whoever calls a port with one has been checked here.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the authorization that the lint keeps everybody else from bypassing"
)]

use larder_domain::{HouseholdId, User, UserId};
use larder_storage::{HouseholdScope, Scope, SystemScope};

use crate::{AppError, Caller, Result};

/// The inventory that the caller works with.
pub(crate) fn inventory(caller: &Caller) -> Scope {
    Scope::assume_authorized(caller.owner(), caller.user_id())
}

/// The caller's household, for what every member may do; `None` in individual mode.
pub(crate) fn find_household(caller: &Caller) -> Option<HouseholdScope> {
    member_of(caller.user())
}

/// The caller's household, for what every member may do.
pub(crate) fn household(caller: &Caller) -> Result<HouseholdScope> {
    find_household(caller).ok_or(AppError::NoHousehold)
}

/// The caller's household, for what only admins may do.
pub(crate) fn administration(caller: &Caller) -> Result<HouseholdScope> {
    let scope = household(caller)?;
    if caller.is_admin() { Ok(scope) } else { Err(AppError::AdminRequired) }
}

/// The caller's household, for taking this member out: anyone may go, only admins send others away.
pub(crate) fn removal(caller: &Caller, member: UserId) -> Result<HouseholdScope> {
    if member == caller.user_id() { household(caller) } else { administration(caller) }
}

/// The household that the store says this user belongs to.
pub(crate) fn member_of(user: &User) -> Option<HouseholdScope> {
    let membership = user.membership?;
    Some(HouseholdScope::assume_authorized(membership.household, user.id))
}

/// The household that the store has just let this user into.
pub(crate) const fn entered(household: HouseholdId, user: UserId) -> HouseholdScope {
    HouseholdScope::assume_authorized(household, user)
}

/// A household that Larder works on by itself: because somebody holds its tag, because an item of it has
/// changed, or because its day has begun.
pub(crate) const fn system(household: HouseholdId) -> SystemScope {
    SystemScope::assume_authorized(household)
}

#[cfg(test)]
mod tests {
    use larder_domain::{Owner, Role};

    use super::*;
    use crate::caller::tests::caller;

    #[test]
    fn a_scope_is_the_callers_own() {
        let member = caller(Some(Role::Member));
        let scope = inventory(&member);
        assert_eq!(scope.owner(), Owner::Household(HouseholdId::fixed(7)));
        assert_eq!(scope.actor(), member.user_id());
        assert_eq!(household(&member).unwrap().household(), HouseholdId::fixed(7));
        assert_eq!(inventory(&caller(None)).owner(), Owner::User(UserId::fixed(1)));
    }

    #[test]
    fn only_admins_administrate() {
        assert!(administration(&caller(Some(Role::Admin))).is_ok());
        let refused = administration(&caller(Some(Role::Member)));
        assert!(matches!(refused, Err(AppError::AdminRequired)));
        assert!(matches!(administration(&caller(None)), Err(AppError::NoHousehold)));
    }

    #[test]
    fn anyone_may_go_and_only_admins_send_others_away() {
        let (own, other) = (UserId::fixed(1), UserId::fixed(2));
        let member = caller(Some(Role::Member));
        assert!(removal(&member, own).is_ok());
        assert!(matches!(removal(&member, other), Err(AppError::AdminRequired)));
        assert!(removal(&caller(Some(Role::Admin)), other).is_ok());
        assert!(matches!(removal(&caller(None), own), Err(AppError::NoHousehold)));
    }
}
