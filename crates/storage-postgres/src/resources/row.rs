//! Rows of `resources`, with their parents and unique values, as resources.

use std::fmt::Display;

use larder_domain::{Attributes, Resource, SchemaVersion, UniqueKeys, Urn};
use larder_storage::{Membership, Result};

use super::KeyJson;
use crate::{items::misfit, types::Instant};

/// A row, with attributes and unique values as text.
#[derive(Debug, Clone)]
pub(crate) struct ResourceRow {
    pub(crate) urn: String,
    pub(crate) account_urn: String,
    pub(crate) parent_urn: Option<String>,
    pub(crate) schema_version: i64,
    pub(crate) version: i64,
    pub(crate) attributes: String,
    pub(crate) unique_keys: Option<String>,
    pub(crate) created_at: Instant,
    pub(crate) updated_at: Instant,
    /// Of the membership by which it was found, if it was found by one.
    pub(crate) conveys_authorization: Option<bool>,
    pub(crate) linked_at: Option<Instant>,
}

/// `query_as!` with the columns of a [`ResourceRow`] between two pieces of SQL; the resource's table is `r`.
macro_rules! query_resources {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        $crate::resources::row::query_resource_rows!(
            "NULL::boolean", "NULL::timestamptz", $before, $after $(, $argument)*
        )
    };
}

/// The same for resources that are found by a membership `m`.
macro_rules! query_members {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        $crate::resources::row::query_resource_rows!(
            "m.conveys_authorization", "m.created_at", $before, $after $(, $argument)*
        )
    };
}

macro_rules! query_resource_rows {
    ($conveys:literal, $linked_at:literal, $before:literal, $after:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            $crate::resources::row::ResourceRow,
            $before
                + r#" r.urn AS "urn!", r.account_urn AS "account_urn!",
                (SELECT p.parent_urn FROM parent_child_relationships p WHERE p.child_urn = r.urn)
                  AS "parent_urn?",
                r.schema_version AS "schema_version!", r.version AS "version!",
                r.attributes::text AS "attributes!",
                (SELECT json_agg(json_build_array(k.key, k.given_value, k.case_insensitive))::text
                 FROM unique_key_values k
                 WHERE k.account_urn = r.account_urn AND k.associated_record_urn = r.urn)
                  AS "unique_keys?",
                r.created_at AS "created_at!: crate::types::Instant",
                r.updated_at AS "updated_at!: crate::types::Instant", "#
                + $conveys
                + r#" AS "conveys_authorization?", "#
                + $linked_at
                + r#" AS "linked_at?: crate::types::Instant" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use {query_members, query_resource_rows, query_resources};

impl ResourceRow {
    pub(crate) fn into_resource(self) -> Result<Resource> {
        let record = format!("resources {}", self.urn);
        let misfit = |column: &str, reason: &dyn Display| misfit(&record, column, reason);
        let schema_version = u32::try_from(self.schema_version).ok().and_then(SchemaVersion::new);
        let parent = self.parent_urn.map(|urn| read_urn(&record, "parent_urn", &urn));
        Ok(Resource {
            urn: read_urn(&record, "urn", &self.urn)?,
            account: read_urn(&record, "account_urn", &self.account_urn)?,
            parent: parent.transpose()?,
            schema_version: schema_version
                .ok_or_else(|| misfit("schema_version", &"is out of range"))?,
            version: u64::try_from(self.version).map_err(|e| misfit("version", &e))?,
            unique_keys: keys_of(self.unique_keys.as_deref())
                .map_err(|e| misfit("unique_keys", &e))?,
            attributes: Attributes::from_json(&self.attributes)
                .map_err(|e| misfit("attributes", &e))?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }

    pub(crate) fn into_membership(self) -> Result<Membership> {
        let conveys_authorization = self.conveys_authorization.unwrap_or(false);
        let created_at = self.linked_at.map_or(self.created_at.0, |at| at.0);
        Ok(Membership { resource: self.into_resource()?, conveys_authorization, created_at })
    }
}

/// Unique values from their JSON; `NULL` if there are none.
pub(super) fn keys_of(json: Option<&str>) -> Result<UniqueKeys, String> {
    let keys: Vec<KeyJson> =
        json.map_or(Ok(Vec::new()), serde_json::from_str).map_err(|e| e.to_string())?;
    KeyJson::into_keys(keys)
}

pub(crate) fn read_urn(record: impl Display, column: &str, text: &str) -> Result<Urn> {
    text.parse().map_err(|reason: larder_domain::InvalidUrn| misfit(record, column, reason))
}
