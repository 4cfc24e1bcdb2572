//! Rows of `nfc_urls` as tags.

use std::fmt::Display;

use larder_domain::{ItemName, NfcUrl, TagLabel, TagRotation, TagStep, UrlId};
use larder_storage::Result;
use uuid::Uuid;

use crate::{ids::domain_id, items::misfit, types::Instant};

/// A row, with the step in hundredths. Its address is a secret, so it does not print.
pub(crate) struct TagRow {
    pub(crate) url_id: String,
    pub(crate) household_id: Uuid,
    pub(crate) item_id: Uuid,
    pub(crate) item_name: String,
    pub(crate) label: Option<String>,
    pub(crate) step: i64,
    pub(crate) rotated_at: Option<Instant>,
    pub(crate) rotated_by: Option<Uuid>,
    pub(crate) created_by: Uuid,
    pub(crate) created_at: Instant,
    pub(crate) last_accessed_at: Option<Instant>,
    pub(crate) access_count: i64,
}

/// `query_as!` with the columns of a [`TagRow`] between two pieces of SQL; the table is `t`.
macro_rules! query_tags {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::tags::row::TagRow,
            $before
                + r#" t.url_id AS "url_id!", t.household_id AS "household_id!",
                t.item_id AS "item_id!", t.item_name AS "item_name!", t.label AS "label?",
                (t.step * 100)::bigint AS "step!",
                t.rotated_at AS "rotated_at?: crate::types::Instant",
                t.rotated_by AS "rotated_by?", t.created_by AS "created_by!",
                t.created_at AS "created_at!: crate::types::Instant",
                t.last_accessed_at AS "last_accessed_at?: crate::types::Instant",
                t.access_count AS "access_count!" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use query_tags;

impl TagRow {
    pub(crate) fn into_tag(self) -> Result<NfcUrl> {
        // By its item, not by its address.
        let record = format!("nfc_urls of item {}", self.item_id);
        let misfit = |column: &str, reason: &dyn Display| misfit(&record, column, reason);
        let label = self.label.as_deref().map(TagLabel::parse_stored).transpose();
        let rotation = |at: Instant| {
            let by = self.rotated_by.ok_or_else(|| misfit("rotated_by", &"is missing"))?;
            Ok(TagRotation { at: at.0, by: domain_id(by) })
        };
        Ok(NfcUrl {
            id: UrlId::parse(&self.url_id).map_err(|e| misfit("url_id", &e))?,
            item: domain_id(self.item_id),
            household: domain_id(self.household_id),
            item_name: ItemName::parse_stored(&self.item_name)
                .map_err(|e| misfit("item_name", &e))?,
            label: label.map_err(|e| misfit("label", &e))?,
            step: TagStep::from_hundredths(self.step).map_err(|e| misfit("step", &e))?,
            rotated: self.rotated_at.map(rotation).transpose()?,
            created_by: domain_id(self.created_by),
            created_at: self.created_at.0,
            last_accessed_at: self.last_accessed_at.map(|at| at.0),
            access_count: u64::try_from(self.access_count)
                .map_err(|e| misfit("access_count", &e))?,
        })
    }
}
