//! `Session` records: one per login, gone by themselves when their time has passed.

use jiff::Timestamp;
use larder_storage::Session;

use crate::{
    Record,
    layout::{
        fields::{seconds_number, timestamp_text},
        keys,
    },
};

pub(crate) fn to_record(session: &Session, at: Timestamp) -> Record {
    let key = keys::session(session.user, session.id);
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "Session")
        .with("sessionId", session.id.to_string())
        .with("userId", session.user.to_string())
        .with("tokenHash", session.token_hash.as_str())
        .with("createdAt", timestamp_text(at))
        .with("updatedAt", timestamp_text(at))
        .with("expiresAt", timestamp_text(session.expires_at))
        .with("ttl", seconds_number(session.expires_at))
}
