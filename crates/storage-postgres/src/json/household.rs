//! Households, and who belongs to them.

use larder_domain::{
    Email, Household, HouseholdName, HouseholdZone, InviteCode, Member, PersonName,
};
use larder_storage::Result;
use serde::{Deserialize, Serialize};

use super::fields::{parse, read, time};

/// A household.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct HouseholdJson {
    id: String,
    name: String,
    time_zone: String,
    invite_code: String,
    created_by: String,
    created_at: String,
}

/// A person as a member.
#[derive(Debug, Deserialize)]
pub(crate) struct MemberJson {
    id: String,
    name: String,
    email: String,
    role: String,
    joined_at: String,
}

impl HouseholdJson {
    pub(crate) fn of(household: &Household) -> Self {
        Self {
            id: household.id.to_string(),
            name: household.name.to_string(),
            time_zone: household.zone.name().to_owned(),
            invite_code: household.invite_code.as_str().to_owned(),
            created_by: household.created_by.to_string(),
            created_at: time(household.created_at),
        }
    }

    pub(crate) fn into_household(self) -> Result<Household> {
        Ok(Household {
            id: read("id", &self.id)?,
            name: parse("name", &self.name, HouseholdName::parse)?,
            zone: parse("time_zone", &self.time_zone, HouseholdZone::parse)?,
            invite_code: parse("invite_code", &self.invite_code, InviteCode::parse)?,
            created_by: read("created_by", &self.created_by)?,
            created_at: read("created_at", &self.created_at)?,
        })
    }
}

impl MemberJson {
    pub(crate) fn into_member(self) -> Result<Member> {
        Ok(Member {
            user: read("id", &self.id)?,
            name: parse("name", &self.name, PersonName::parse)?,
            email: parse("email", &self.email, Email::parse)?,
            role: read("role", &self.role)?,
            joined_at: read("joined_at", &self.joined_at)?,
        })
    }
}
