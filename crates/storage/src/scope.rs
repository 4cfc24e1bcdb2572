//! Scopes: the owner of the data that a call may access, and the actor. Every port for a
//! household's data requires one, and only authorization creates them: forgetting tenancy does not
//! compile.

use larder_domain::{HouseholdId, Owner, Urn, UserId, Whose};

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

/// The right of Larder itself to one household: for taps and background jobs. Its changes have no
/// acting user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemScope {
    household: HouseholdId,
}

/// The right to devices, API keys and readings: of one household, or, for the operator, all of
/// them. What the operator creates belongs to no household.
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
    /// A scope for a user whose right to it has been checked. Only for authorization and tests; a
    /// lint refuses it elsewhere.
    pub const fn assume_authorized(owner: Owner, actor: UserId) -> Self {
        Self { owner, actor }
    }

    /// The owner of the inventory.
    pub const fn owner(self) -> Owner {
        self.owner
    }

    /// The acting user.
    pub const fn actor(self) -> UserId {
        self.actor
    }
}

impl HouseholdScope {
    /// A scope for a user whose membership has been checked. Only for authorization and tests; a
    /// lint refuses it elsewhere.
    pub const fn assume_authorized(household: HouseholdId, actor: UserId) -> Self {
        Self { household, actor }
    }

    /// Which household it is.
    pub const fn household(self) -> HouseholdId {
        self.household
    }

    /// The acting user.
    pub const fn actor(self) -> UserId {
        self.actor
    }

    /// The household's inventory.
    pub const fn inventory(self) -> Scope {
        Scope { owner: Owner::Household(self.household), actor: self.actor }
    }

    /// The actor's personal inventory, separate from the household's.
    pub const fn personal_inventory(self) -> Scope {
        Scope { owner: Owner::User(self.actor), actor: self.actor }
    }

    /// One of the two.
    pub const fn inventory_of(self, whose: Whose) -> Scope {
        match whose {
            Whose::Household => self.inventory(),
            Whose::Personal => self.personal_inventory(),
        }
    }
}

impl SystemScope {
    /// A scope for Larder itself. Only for use cases without a user and for tests; a lint refuses
    /// it elsewhere.
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
    /// A scope for the members of a household, or for a device with its key. Only for authorization
    /// and tests; a lint refuses it elsewhere.
    pub const fn assume_authorized(household: HouseholdId) -> Self {
        Self { household: Some(household) }
    }

    /// The operator's scope. Only for authorization and tests; a lint refuses it elsewhere.
    pub const fn assume_operator() -> Self {
        Self { household: None }
    }

    /// The owner of what is created with it, and of the devices whose readings it may send; `None`:
    /// the operator.
    pub const fn household(self) -> Option<HouseholdId> {
        self.household
    }

    /// Whether it may read and change an entity of this household (`None`: of the operator).
    pub fn sees(self, household: Option<HouseholdId>) -> bool {
        self.household.is_none() || self.household == household
    }
}

impl AccountScope {
    /// A scope for a user whose right to it has been checked. In Larder only for authorization and
    /// tests, and a lint refuses it elsewhere; other users of the relational store do their own
    /// authorization.
    pub const fn assume_authorized(account: Urn, actor: UserId) -> Self {
        Self { account, actor }
    }

    /// Which account it is.
    pub const fn account(&self) -> &Urn {
        &self.account
    }

    /// The acting user.
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
