//! Whose data a call may touch, and who acts. No port that reads or writes a household's data can be
//! called without one of these, and only authorization makes them: forgetting tenancy does not compile.

use larder_domain::{HouseholdId, Owner, Urn, UserId};

/// The right of one person to work with one inventory: the household's, or their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    owner: Owner,
    actor: UserId,
}

/// The right of one person to work with one household.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseholdScope {
    household: HouseholdId,
    actor: UserId,
}

/// The right of Larder itself to work on one household: for taps and for what it does by itself. Changes made
/// with it are nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemScope {
    household: HouseholdId,
}

/// The right to work with devices, API keys and readings: those of one household, or, as the operator, with all
/// that there are. What the operator makes belongs to no household.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetScope {
    household: Option<HouseholdId>,
}

/// The right of one person to work with the resources of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountScope {
    account: Urn,
    actor: UserId,
}

impl Scope {
    /// A scope for someone whose right to it has been checked. For authorization and tests alone; a lint
    /// refuses it elsewhere.
    pub const fn assume_authorized(owner: Owner, actor: UserId) -> Self {
        Self { owner, actor }
    }

    /// Whose inventory it is.
    pub const fn owner(self) -> Owner {
        self.owner
    }

    /// Who acts.
    pub const fn actor(self) -> UserId {
        self.actor
    }
}

impl HouseholdScope {
    /// A scope for someone whose membership has been checked. For authorization and tests alone; a lint
    /// refuses it elsewhere.
    pub const fn assume_authorized(household: HouseholdId, actor: UserId) -> Self {
        Self { household, actor }
    }

    /// Which household it is.
    pub const fn household(self) -> HouseholdId {
        self.household
    }

    /// Who acts.
    pub const fn actor(self) -> UserId {
        self.actor
    }

    /// The household's inventory.
    pub const fn inventory(self) -> Scope {
        Scope { owner: Owner::Household(self.household), actor: self.actor }
    }

    /// The actor's own inventory, which they keep beside the household's.
    pub const fn personal_inventory(self) -> Scope {
        Scope { owner: Owner::User(self.actor), actor: self.actor }
    }
}

impl SystemScope {
    /// A scope for Larder itself. For the use cases that act on their own and for tests alone; a lint refuses it
    /// elsewhere.
    pub const fn assume_authorized(household: HouseholdId) -> Self {
        Self { household }
    }

    /// Which household it is.
    pub const fn household(self) -> HouseholdId {
        self.household
    }

    /// The household's inventory.
    pub const fn owner(self) -> Owner {
        Owner::Household(self.household)
    }
}

impl FleetScope {
    /// A scope for the members of a household, or for a device with its key. For authorization and tests alone; a
    /// lint refuses it elsewhere.
    pub const fn assume_authorized(household: HouseholdId) -> Self {
        Self { household: Some(household) }
    }

    /// The operator's scope. For authorization and tests alone; a lint refuses it elsewhere.
    pub const fn assume_operator() -> Self {
        Self { household: None }
    }

    /// Whose the things are that are made with it, and whose devices it may send readings of; `None`: the
    /// operator's own.
    pub const fn household(self) -> Option<HouseholdId> {
        self.household
    }

    /// Whether it may look at and change a thing of this household (`None`: of the operator's own).
    pub fn sees(self, household: Option<HouseholdId>) -> bool {
        self.household.is_none() || self.household == household
    }
}

impl AccountScope {
    /// A scope for someone whose right to it has been checked. In Larder for authorization and tests alone, and a lint
    /// refuses it elsewhere; whoever uses the relational store by itself authorizes by means of their own.
    pub const fn assume_authorized(account: Urn, actor: UserId) -> Self {
        Self { account, actor }
    }

    /// Which account it is.
    pub const fn account(&self) -> &Urn {
        &self.account
    }

    /// Who acts.
    pub const fn actor(&self) -> UserId {
        self.actor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_household_sees_its_own_and_the_operator_sees_all() {
        #![expect(clippy::disallowed_methods, reason = "a test makes its own scopes")]
        let (own, other) = (Some(HouseholdId::fixed(1)), Some(HouseholdId::fixed(2)));
        let member = FleetScope::assume_authorized(HouseholdId::fixed(1));
        assert_eq!([own, other, None].map(|whose| member.sees(whose)), [true, false, false]);
        let operator = FleetScope::assume_operator();
        assert_eq!([own, other, None].map(|whose| operator.sees(whose)), [true; 3]);
        assert_eq!(operator.household(), None);
    }
}
