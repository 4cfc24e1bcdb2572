//! `Member` records.

use larder_domain::{HouseholdId, Member};
use larder_storage::Result;

use crate::{
    Record,
    layout::{entity::Layout, keys},
};

pub(crate) const ENTITY: &str = "Member";

const LAYOUT: Layout = Layout { renamed: &[], writes_null: false };

pub(crate) fn to_record(household: HouseholdId, member: &Member) -> Record {
    let key = keys::member(household, member.user);
    let record = Record::new()
        .with("GSI1PK", key.sk.as_str())
        .with("GSI1SK", key.pk.as_str())
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", ENTITY)
        .with("familyId", household.to_string());
    LAYOUT.write(member, record)
}

pub(crate) fn from_record(record: &Record) -> Result<Member> {
    LAYOUT.read(record)
}
