//! The only place where scopes are made: whoever calls a port with one has been checked here.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the authorization that the lint keeps everybody else from bypassing"
)]

use larder_domain::{Access, HouseholdId, Owner, Urn, User, UserId};
use larder_storage::{AccountScope, FleetScope, HouseholdScope, Scope, SystemScope};

use crate::{AppError, Caller, DeviceCaller, FleetCaller, Result};

/// The inventory that the caller works with.
pub(crate) fn inventory(caller: &Caller) -> Scope {
    Scope::assume_authorized(caller.owner(), caller.user_id())
}

/// The caller's own inventory, which they keep when they enter a household.
pub(crate) fn own_inventory(caller: &Caller) -> Scope {
    Scope::assume_authorized(Owner::User(caller.user_id()), caller.user_id())
}

/// The caller's household, for what every member may do; `None` in individual mode.
pub(crate) fn find_household(caller: &Caller) -> Option<HouseholdScope> {
    let membership = caller.membership()?;
    Some(HouseholdScope::assume_authorized(membership.household, caller.user_id()))
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

/// The account of the caller's household, for what every member may do with its resources; `None` in individual mode.
pub(crate) fn find_account(caller: &Caller) -> Option<AccountScope> {
    find_household(caller).map(account_of)
}

/// The account of the caller's household.
pub(crate) fn account(caller: &Caller) -> Result<AccountScope> {
    household(caller).map(account_of)
}

fn account_of(scope: HouseholdScope) -> AccountScope {
    AccountScope::assume_authorized(Urn::of_household(scope.household()), scope.actor())
}

/// The account in which the store has found a grant for the caller.
pub(crate) fn granted(caller: &Caller, access: &Access) -> AccountScope {
    AccountScope::assume_authorized(access.account.clone(), caller.user_id())
}

/// The devices that the caller may look at: those of their household, or all for the operator; `None` in individual
/// mode, where there are none.
pub(crate) fn fleet(caller: &FleetCaller) -> Option<FleetScope> {
    match caller {
        FleetCaller::Person(person) => find_household(person).map(fleet_of),
        FleetCaller::Operator(_) => Some(FleetScope::assume_operator()),
    }
}

/// The same for what only admins and the operator may do.
pub(crate) fn fleet_administration(caller: &FleetCaller) -> Result<FleetScope> {
    if let FleetCaller::Person(person) = caller {
        administration(person)?;
    }
    fleet(caller).ok_or(AppError::NoHousehold)
}

/// `None` instead of a refusal of callers in individual mode, who have nothing that they could see.
pub(crate) fn unless_alone<T>(scope: Result<T>) -> Result<Option<T>> {
    match scope {
        Err(AppError::NoHousehold) => Ok(None),
        scope => scope.map(Some),
    }
}

/// The devices of a household, for what every member may do.
pub(crate) const fn fleet_of(scope: HouseholdScope) -> FleetScope {
    FleetScope::assume_authorized(scope.household())
}

/// The devices that whoever has shown an API key may be one of.
pub(crate) fn fleet_of_key(device: &DeviceCaller) -> FleetScope {
    match device.household() {
        Some(household) => FleetScope::assume_authorized(household),
        None => FleetScope::assume_operator(),
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{Owner, Role};

    use super::*;
    use crate::{caller::tests::caller, telemetry::operator};

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
    fn the_account_is_the_callers_household() {
        let scope = find_account(&caller(Some(Role::Member))).unwrap();
        assert_eq!(scope.account(), &Urn::of_household(HouseholdId::fixed(7)));
        assert_eq!(scope.actor(), UserId::fixed(1));
        assert_eq!(find_account(&caller(None)), None);
        assert!(matches!(account(&caller(None)), Err(AppError::NoHousehold)));
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

    #[test]
    fn members_look_at_their_households_devices_and_only_admins_manage_them() {
        let person = |role| FleetCaller::Person(caller(role));
        let household = Some(HouseholdId::fixed(7));
        let scope = fleet(&person(Some(Role::Member))).unwrap();
        assert_eq!(scope.household(), household);
        assert!(fleet(&person(None)).is_none());
        let scope = fleet_administration(&person(Some(Role::Admin))).unwrap();
        assert_eq!(scope.household(), household);
        let refused = fleet_administration(&person(Some(Role::Member)));
        assert!(matches!(refused, Err(AppError::AdminRequired)));
        assert!(matches!(fleet_administration(&person(None)), Err(AppError::NoHousehold)));
    }

    #[test]
    fn the_operator_looks_after_all_devices() {
        let scope = fleet_administration(&operator()).unwrap();
        assert_eq!(scope.household(), None);
        assert!(scope.sees(Some(HouseholdId::fixed(7))));
    }
}
