//! `Family` records.

use larder_domain::{Household, HouseholdName, HouseholdZone, InviteCode};
use larder_storage::Result;

use crate::{
    Number, Record,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "Family";

/// A new household with its creator as the only member and admin.
pub(crate) fn to_record(household: &Household) -> Record {
    let key = keys::family(household.id);
    Record::new()
        .with("GSI1PK", keys::invite_pk(&household.invite_code))
        .with("GSI1SK", key.sk.as_str())
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", ENTITY)
        .with("familyId", household.id.to_string())
        .with("name", household.name.as_str())
        .with("timeZone", household.zone.name())
        .with("inviteCode", household.invite_code.as_str())
        .with("createdBy", household.created_by.to_string())
        .with("createdAt", timestamp_text(household.created_at))
        .with("adminCount", Number::from(1))
        .with("memberCount", Number::from(1))
}

pub(crate) fn from_record(record: &Record) -> Result<Household> {
    let fields = Fields(record);
    Ok(Household {
        id: fields.id("familyId")?,
        name: fields.parse("name", HouseholdName::parse)?,
        zone: fields.parse("timeZone", HouseholdZone::parse)?,
        invite_code: fields.parse("inviteCode", InviteCode::parse)?,
        created_by: fields.id("createdBy")?,
        created_at: fields.time("createdAt")?,
    })
}
