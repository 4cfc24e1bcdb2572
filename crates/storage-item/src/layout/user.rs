//! `User` records. They carry the user's membership too, so that one consistent read authorizes a request.

use jiff::Timestamp;
use larder_domain::{Email, Membership, PersonName, User};
use larder_storage::{NewUser, Result};

use crate::{
    Record,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) fn to_record(user: &NewUser, at: Timestamp) -> Record {
    let key = keys::user(user.id);
    let identity = user.identity.as_ref();
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "User")
        .with("userId", user.id.to_string())
        .with("email", user.email.as_str())
        .with("name", user.name.as_str())
        .with_some("passwordHash", user.password_hash.as_deref())
        .with_some("identityIssuer", identity.map(|identity| identity.issuer.as_str()))
        .with_some("identitySubject", identity.map(|identity| identity.subject.as_str()))
        .with("createdAt", timestamp_text(at))
}

pub(crate) fn from_record(record: &Record) -> Result<User> {
    let fields = Fields(record);
    let membership = match fields.optional_id("familyId")? {
        Some(household) => Some(Membership { household, role: fields.id("role")? }),
        None => None,
    };
    Ok(User {
        id: fields.id("userId")?,
        email: fields.parse("email", Email::parse)?,
        name: fields.parse("name", PersonName::parse)?,
        created_at: fields.time("createdAt")?,
        membership,
        is_moving_items: fields.flag("movingItems"),
    })
}
