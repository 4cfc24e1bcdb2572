//! `Member` records.

use larder_domain::{Email, HouseholdId, Member, PersonName};
use larder_storage::Result;

use crate::{
    Record,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "Member";

pub(crate) fn to_record(household: HouseholdId, member: &Member) -> Record {
    let key = keys::member(household, member.user);
    Record::new()
        .with("GSI1PK", key.sk.as_str())
        .with("GSI1SK", key.pk.as_str())
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", ENTITY)
        .with("familyId", household.to_string())
        .with("userId", member.user.to_string())
        .with("name", member.name.as_str())
        .with("email", member.email.as_str())
        .with("role", member.role.as_str())
        .with("joinedAt", timestamp_text(member.joined_at))
}

pub(crate) fn from_record(record: &Record) -> Result<Member> {
    let fields = Fields(record);
    Ok(Member {
        user: fields.id("userId")?,
        name: fields.parse("name", PersonName::parse)?,
        email: fields.parse("email", Email::parse)?,
        role: fields.id("role")?,
        joined_at: fields.time("joinedAt")?,
    })
}
