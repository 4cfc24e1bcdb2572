//! `Session` records: one per login, which expire.

use jiff::Timestamp;
use larder_domain::{SessionKind, SessionLabel};
use larder_storage::{NextToken, Result, Session};

use crate::{
    Change, Condition, Record,
    layout::{
        fields::{Fields, seconds_number, timestamp_text},
        keys,
    },
};

/// Both are omitted for their defaults: a session of tokens, without a label.
const KIND: &str = "kind";
const LABEL: &str = "label";

pub(crate) fn to_record(session: &Session) -> Record {
    let key = keys::session(session.user, session.id);
    let kind = Some(session.kind).filter(|kind| *kind != SessionKind::Tokens);
    let label = Some(&session.label).filter(|label| !label.is_empty());
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "Session")
        .with("sessionId", session.id.to_string())
        .with("userId", session.user.to_string())
        .with_some(KIND, kind.map(SessionKind::as_str))
        .with_some(LABEL, label.map(SessionLabel::as_str))
        .with("tokenHash", session.token_hash.as_str())
        .with("createdAt", timestamp_text(session.began_at))
        .with("updatedAt", timestamp_text(session.last_used_at))
        .with("expiresAt", timestamp_text(session.expires_at))
        .with("ttl", seconds_number(session.expires_at))
}

pub(crate) fn from_record(record: &Record) -> Result<Session> {
    let fields = Fields(record);
    Ok(Session {
        id: fields.id("sessionId")?,
        user: fields.id("userId")?,
        kind: fields.optional_id(KIND)?.unwrap_or(SessionKind::Tokens),
        label: fields.parse_optional(LABEL, SessionLabel::parse)?.unwrap_or_default(),
        token_hash: fields.text("tokenHash")?.to_owned(),
        began_at: fields.time("createdAt")?,
        last_used_at: fields.time("updatedAt")?,
        expires_at: fields.time("expiresAt")?,
    })
}

/// That the session has tokens, and this is the newest of them.
pub(crate) fn has_newest(token_hash: &str) -> Vec<Condition> {
    vec![Condition::Absent(KIND.into()), has_secret(token_hash)]
}

/// A condition on the session's current secret.
pub(crate) fn has_secret(token_hash: &str) -> Condition {
    Condition::Equals("tokenHash".into(), token_hash.into())
}

/// The changes that rotate the token.
pub(crate) fn rotated(next: &NextToken, at: Timestamp) -> Vec<Change> {
    let mut changes = extended(next.expires_at, at);
    changes.push(Change::Set("tokenHash".into(), next.token_hash.as_str().into()));
    changes
}

/// The changes that extend the session.
pub(crate) fn extended(expires_at: Timestamp, at: Timestamp) -> Vec<Change> {
    vec![
        Change::Set("updatedAt".into(), timestamp_text(at).into()),
        Change::Set("expiresAt".into(), timestamp_text(expires_at).into()),
        Change::Set("ttl".into(), seconds_number(expires_at).into()),
    ]
}

#[cfg(test)]
mod tests {
    use larder_domain::{SessionId, UserId};

    use super::*;

    fn in_browser() -> Session {
        Session {
            id: SessionId::fixed(2),
            user: UserId::fixed(1),
            kind: SessionKind::Browser,
            label: SessionLabel::parse("Chrome on Android").unwrap(),
            token_hash: "digest".to_owned(),
            began_at: "2031-01-15T10:00:00Z".parse().unwrap(),
            last_used_at: "2031-01-20T08:30:00.250Z".parse().unwrap(),
            expires_at: "2031-04-20T08:30:00.250Z".parse().unwrap(),
        }
    }

    #[test]
    fn a_session_comes_back_from_its_record() {
        let tokens =
            Session { kind: SessionKind::Tokens, label: SessionLabel::default(), ..in_browser() };
        for session in [in_browser(), tokens] {
            assert_eq!(from_record(&to_record(&session)).unwrap(), session);
        }
    }

    /// The format from before browser sessions.
    #[test]
    fn a_record_without_kind_and_label_is_a_nameless_session_of_tokens() {
        let mut old = to_record(&in_browser());
        old.remove("kind");
        old.remove("label");
        let session = from_record(&old).unwrap();
        assert_eq!((session.kind, session.label.as_str()), (SessionKind::Tokens, ""));
        assert_eq!(session.began_at, in_browser().began_at);
        assert_eq!(to_record(&session), old);
    }

    #[test]
    fn a_kind_that_nobody_knows_is_a_damaged_record() {
        let record = to_record(&in_browser()).with("kind", "fridge");
        assert!(from_record(&record).is_err());
    }
}
