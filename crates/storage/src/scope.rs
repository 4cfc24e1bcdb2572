//! Whose data a call may touch, and who acts. No port that reads or writes a household's data can be
//! called without one of these, and only authorization makes them: forgetting tenancy does not compile.

use larder_domain::{HouseholdId, Owner, UserId};

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
