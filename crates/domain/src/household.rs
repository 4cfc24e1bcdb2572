//! Households: groups of people who share one stock.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use thiserror::Error;

use crate::{
    AutoList, Currency, Email, HouseholdId, HouseholdName, InviteCode, PersonName, UserId, Zone,
    entity::{entity, field},
};

/// A member's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything, including members, invite code, tags, keys and devices.
    Admin,
    /// Everything else.
    Member,
}

/// The text is not a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be \"admin\" or \"member\"")]
pub struct UnknownRole;

impl Role {
    /// The word for it in API and records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        match text {
            "admin" => Ok(Self::Admin),
            "member" => Ok(Self::Member),
            _ => Err(UnknownRole),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A household.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Household {
    /// Its id.
    pub id: HouseholdId,
    /// Its display name.
    pub name: HouseholdName,
    /// Its time zone.
    pub zone: Zone,
    /// Its currency.
    pub currency: Currency,
    /// Whether what is low goes on its shopping list by itself.
    pub auto_list: AutoList,
    /// The code for joining it.
    pub invite_code: InviteCode,
    /// Its creator.
    pub created_by: UserId,
    /// When it was created.
    pub created_at: Timestamp,
}

entity! {
    Household {
        id: "id",
        name: "name",
        zone: "timeZone",
        currency: "currency",
        auto_list: "autoList",
        invite_code: "inviteCode",
        created_by: "createdBy",
        created_at: "createdAt",
    }
}

field! { Role: text(|role| role.as_str(), |text: &str| text.parse::<Self>()) }

/// A change of a household; `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HouseholdPatch {
    /// A new name.
    pub name: Option<HouseholdName>,
    /// A new time zone.
    pub zone: Option<Zone>,
    /// A new currency. Prices keep their numbers.
    pub currency: Option<Currency>,
    /// Whether what is low goes on the shopping list by itself.
    pub auto_list: Option<AutoList>,
}

/// A person as a member of a household.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The user.
    pub user: UserId,
    /// Their name, as the others see it.
    pub name: PersonName,
    /// Their address.
    pub email: Email,
    /// Their role.
    pub role: Role,
    /// When they joined.
    pub joined_at: Timestamp,
}

entity! {
    Member { user: "userId", name: "name", email: "email", role: "role", joined_at: "joinedAt" }
}
