//! Rows of `api_keys` as keys.

use std::fmt::Display;

use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, KeyDescription};
use larder_storage::Result;
use uuid::Uuid;

use crate::{ids::domain_id, items::misfit, types::Instant};

/// A row. It contains the key's hash, which must not be logged, so it does not print.
pub(crate) struct ApiKeyRow {
    pub(crate) key_id: Uuid,
    pub(crate) household_id: Option<Uuid>,
    pub(crate) api_key_hash: String,
    pub(crate) created_at: Instant,
    pub(crate) last_used_at: Option<Instant>,
    pub(crate) is_active: bool,
    pub(crate) description: Option<String>,
}

/// `query_as!` with the columns of an [`ApiKeyRow`] between two pieces of SQL; the table is `k`.
macro_rules! query_keys {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::api_keys::row::ApiKeyRow,
            $before
                + r#" k.key_id AS "key_id!", k.household_id AS "household_id?",
                k.api_key_hash AS "api_key_hash!",
                k.created_at AS "created_at!: crate::types::Instant",
                k.last_used_at AS "last_used_at?: crate::types::Instant",
                k.is_active AS "is_active!", k.description AS "description?" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use query_keys;

impl ApiKeyRow {
    pub(crate) fn into_key(self) -> Result<ApiKey> {
        let record = format!("api_keys {}", self.key_id);
        let misfit = |column: &str, reason: &dyn Display| misfit(&record, column, reason);
        let description = self.description.as_deref().map(KeyDescription::parse_stored).transpose();
        Ok(ApiKey {
            id: ApiKeyId::from_bytes(self.key_id.into_bytes()).map_err(|e| misfit("key_id", &e))?,
            household: self.household_id.map(domain_id),
            hash: ApiKeyHash::parse(&self.api_key_hash).map_err(|e| misfit("api_key_hash", &e))?,
            created_at: self.created_at.0,
            last_used_at: self.last_used_at.map(|at| at.0),
            is_active: self.is_active,
            description: description.map_err(|e| misfit("description", &e))?,
        })
    }
}
