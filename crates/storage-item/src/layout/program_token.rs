//! `ProgramToken` records: one per token that a person has made for a program, and a
//! `ProgramTokenCount` beside them, which keeps them within their limit.

use jiff::Timestamp;
use larder_domain::{TokenName, TokenScope, TokenScopes, UserId};
use larder_storage::{ProgramToken, Result};

use crate::{
    Change, Condition, Number, Record,
    layout::{
        fields::{Fields, parse_timestamp, timestamp_text},
        keys,
    },
};

const LAST_USED_AT: &str = "lastUsedAt";
const EXPIRES_AT: &str = "expiresAt";
const COUNT: &str = "count";

pub(crate) fn to_record(token: &ProgramToken) -> Record {
    let key = keys::program_token(token.user, token.id);
    let scopes: Vec<_> = token.scopes.iter().map(TokenScope::as_str).collect();
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "ProgramToken")
        .with("tokenId", token.id.to_string())
        .with("userId", token.user.to_string())
        .with("name", token.name.as_str())
        .with("scopes", scopes.join(" "))
        .with("tokenHash", token.token_hash.as_str())
        .with("createdAt", timestamp_text(token.created_at))
        .with_some(LAST_USED_AT, token.last_used_at.map(timestamp_text))
        // No time to live: an expired token stays in the person's list until it is revoked.
        .with_some(EXPIRES_AT, token.expires_at.map(timestamp_text))
}

pub(crate) fn from_record(record: &Record) -> Result<ProgramToken> {
    let fields = Fields(record);
    Ok(ProgramToken {
        id: fields.id("tokenId")?,
        user: fields.id("userId")?,
        name: fields.parse("name", TokenName::parse_stored)?,
        scopes: fields.parse("scopes", |names| TokenScopes::parse(names.split(' ')))?,
        token_hash: fields.text("tokenHash")?.to_owned(),
        created_at: fields.time("createdAt")?,
        last_used_at: fields.parse_optional(LAST_USED_AT, parse_timestamp)?,
        expires_at: fields.parse_optional(EXPIRES_AT, parse_timestamp)?,
    })
}

/// The change that records a use.
pub(crate) fn used(at: Timestamp) -> Vec<Change> {
    vec![Change::Set(LAST_USED_AT.into(), timestamp_text(at).into())]
}

/// The count of the first token of a person.
pub(crate) fn first_count(user: UserId) -> Record {
    let key = keys::program_token_count(user);
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", "ProgramTokenCount")
        .with("userId", user.to_string())
        .with(COUNT, Number::from(1))
}

/// That there are fewer than this, of at least one.
pub(crate) fn are_fewer_than(limit: u32) -> Condition {
    Condition::AtMost(COUNT.into(), Number::from(i64::from(limit) - 1))
}

/// So many more, or fewer.
pub(crate) fn counted(difference: i64) -> Vec<Change> {
    vec![Change::Add(COUNT.into(), Number::from(difference))]
}

#[cfg(test)]
mod tests {
    use larder_domain::{ProgramTokenId, UserId};

    use super::*;

    fn token() -> ProgramToken {
        ProgramToken {
            id: ProgramTokenId::fixed(2),
            user: UserId::fixed(1),
            name: TokenName::parse("Home Assistant").unwrap(),
            scopes: TokenScopes::of([TokenScope::Read, TokenScope::Stock]).unwrap(),
            token_hash: "digest".to_owned(),
            created_at: "2031-01-15T10:00:00Z".parse().unwrap(),
            last_used_at: None,
            expires_at: None,
        }
    }

    #[test]
    fn a_token_comes_back_from_its_record() {
        let used = ProgramToken {
            last_used_at: Some("2031-01-20T08:30:00.250Z".parse().unwrap()),
            expires_at: Some("2032-01-20T08:30:00Z".parse().unwrap()),
            ..token()
        };
        for token in [token(), used] {
            assert_eq!(from_record(&to_record(&token)).unwrap(), token);
        }
    }

    #[test]
    fn a_scope_that_nobody_knows_is_a_damaged_record() {
        for scopes in ["", "read everything"] {
            assert!(from_record(&to_record(&token()).with("scopes", scopes)).is_err(), "{scopes}");
        }
    }
}
