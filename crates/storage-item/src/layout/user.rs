//! `User` records. They carry the user's membership too, so that one consistent read authorizes a request.

use jiff::Timestamp;
use larder_domain::{Email, Language, Membership, PersonName, Role, User, UserPatch, Zone};
use larder_storage::{Admission, ExternalIdentity, NewUser, Result};

use crate::{
    Change, Condition, Record,
    layout::{
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "User";

/// When the person showed that they read mail at their address.
pub(crate) const EMAIL_CONFIRMED_AT: &str = "emailConfirmedAt";

/// What the person has set for themselves; absent if they have not.
const TIME_ZONE: &str = "timeZone";
const LANGUAGE: &str = "language";

/// Who vouches for the person, and as whom; absent for those who only have a password.
const IDENTITY_ISSUER: &str = "identityIssuer";
const IDENTITY_SUBJECT: &str = "identitySubject";

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
        .with_some(IDENTITY_ISSUER, identity.map(|identity| identity.issuer.as_str()))
        .with_some(IDENTITY_SUBJECT, identity.map(|identity| identity.subject.as_str()))
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
        email: fields.parse("email", Email::parse_stored)?,
        email_confirmed_at: fields.parse_optional(EMAIL_CONFIRMED_AT, str::parse)?,
        name: fields.parse("name", PersonName::parse_stored)?,
        zone: fields.parse_optional(TIME_ZONE, Zone::parse)?,
        language: fields.optional_id(LANGUAGE)?,
        created_at: fields.time("createdAt")?,
        membership,
        is_moving_items: fields.flag("movingItems"),
    })
}

/// The changes of a patch to the user's record.
pub(crate) fn changes(patch: &UserPatch) -> Vec<Change> {
    let set_or_remove = |name: &'static str, value: Option<&str>| match value {
        Some(value) => Change::Set(name.into(), value.into()),
        None => Change::Remove(name.into()),
    };
    let name = patch.name.as_ref().map(renamed);
    let zone = patch.zone.as_ref();
    let zone = zone.map(|zone| set_or_remove(TIME_ZONE, zone.as_ref().map(Zone::name)));
    let language = patch.language;
    let language = language.map(|language| set_or_remove(LANGUAGE, language.map(Language::tag)));
    [name, zone, language].into_iter().flatten().collect()
}

/// The change of a name, in the user's record and in that of the member.
pub(crate) fn renamed(name: &PersonName) -> Change {
    Change::Set("name".into(), name.as_str().into())
}

/// The external identity that logs in to the account.
pub(crate) fn identity(record: &Record) -> Option<ExternalIdentity> {
    let (issuer, subject) = (record.text(IDENTITY_ISSUER)?, record.text(IDENTITY_SUBJECT)?);
    Some(ExternalIdentity { issuer: issuer.to_owned(), subject: subject.to_owned() })
}

/// That this is the account's external identity still.
pub(crate) fn has_identity(identity: Option<&ExternalIdentity>) -> Vec<Condition> {
    match identity {
        Some(ExternalIdentity { issuer, subject }) => vec![
            Condition::Equals(IDENTITY_ISSUER.into(), issuer.as_str().into()),
            Condition::Equals(IDENTITY_SUBJECT.into(), subject.as_str().into()),
        ],
        None => vec![Condition::Absent(IDENTITY_SUBJECT.into())],
    }
}

/// The changes that link an account to an identity, or unlink it.
pub(crate) fn identified(identity: Option<&ExternalIdentity>) -> Vec<Change> {
    match identity {
        Some(ExternalIdentity { issuer, subject }) => vec![
            Change::Set(IDENTITY_ISSUER.into(), issuer.as_str().into()),
            Change::Set(IDENTITY_SUBJECT.into(), subject.as_str().into()),
        ],
        None => {
            [IDENTITY_ISSUER, IDENTITY_SUBJECT].map(|name| Change::Remove(name.into())).to_vec()
        }
    }
}
