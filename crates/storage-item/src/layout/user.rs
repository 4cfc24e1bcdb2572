//! `User` records. They carry the user's membership too, so that one consistent read authorizes a request.

use jiff::Timestamp;
use larder_domain::{Email, Membership, PersonName, Role, User};
use larder_storage::{Admission, NewUser, Result};

use crate::{
    Record,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "User";

/// When the person showed that they read mail at their address.
pub(crate) const EMAIL_CONFIRMED_AT: &str = "emailConfirmedAt";

/// On which day mails were last counted, and how many.
pub(crate) const MAIL_DAY: &str = "mailDay";
pub(crate) const MAIL_COUNT: &str = "mailCount";

pub(crate) fn to_record(user: &NewUser, at: Timestamp) -> Record {
    let key = keys::user(user.id);
    let identity = user.identity.as_ref();
    let household = match &user.admission {
        Admission::Invited { household, .. } => Some(household.to_string()),
        Admission::Anyone | Admission::FirstAccount => None,
    };
    let role = household.as_ref().map(|_| Role::Member.as_str());
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", ENTITY)
        .with("userId", user.id.to_string())
        .with("email", user.email.as_str())
        .with("name", user.name.as_str())
        .with_some("passwordHash", user.password_hash.as_deref())
        .with_some("identityIssuer", identity.map(|identity| identity.issuer.as_str()))
        .with_some("identitySubject", identity.map(|identity| identity.subject.as_str()))
        .with_some("familyId", household)
        .with_some("role", role)
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
        email_confirmed_at: fields.parse_optional(EMAIL_CONFIRMED_AT, str::parse)?,
        name: fields.parse("name", PersonName::parse)?,
        created_at: fields.time("createdAt")?,
        membership,
        is_moving_items: fields.flag("movingItems"),
    })
}
