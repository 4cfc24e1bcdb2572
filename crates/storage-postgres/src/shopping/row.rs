//! Rows of `shopping_list_items` as entries of the list.

use std::fmt::Display;

use larder_domain::{
    ShoppingDetails, ShoppingItem, ShoppingName, ShoppingNotes, ShoppingQuantity, ShoppingStatus,
};
use larder_storage::Result;
use uuid::Uuid;

use crate::{ids::domain_id, items::misfit, types::Instant};

/// A row.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ShoppingRow {
    pub(crate) id: Uuid,
    pub(crate) household_id: Uuid,
    pub(crate) item_id: Option<Uuid>,
    pub(crate) name: String,
    pub(crate) store_id: Option<Uuid>,
    pub(crate) status: String,
    pub(crate) quantity: Option<i32>,
    pub(crate) notes: Option<String>,
    pub(crate) version: i64,
    pub(crate) expires_at: Option<Instant>,
    pub(crate) added_by: Uuid,
    pub(crate) created_at: Instant,
    pub(crate) updated_at: Instant,
}

/// `query_as!` with the columns of a [`ShoppingRow`] between two pieces of SQL; the table is `s`.
macro_rules! query_entries {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::shopping::row::ShoppingRow,
            $before
                + r#" s.id, s.household_id, s.item_id, s.name, s.store_id, s.status, s.quantity,
                s.notes, s.version, s.expires_at AS "expires_at?: crate::types::Instant",
                s.added_by, s.created_at AS "created_at: crate::types::Instant",
                s.updated_at AS "updated_at: crate::types::Instant" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use query_entries;

impl ShoppingRow {
    pub(crate) fn into_entry(self) -> Result<ShoppingItem> {
        let record = format!("shopping_list_items {}", self.id);
        let misfit = |column: &str, reason: &dyn Display| misfit(&record, column, reason);
        let quantity = |count: i32| {
            let count = u64::try_from(count).map_err(|e| misfit("quantity", &e))?;
            ShoppingQuantity::new(count).map_err(|e| misfit("quantity", &e))
        };
        let notes = self.notes.as_deref().map(ShoppingNotes::parse).transpose();
        let details = ShoppingDetails {
            name: ShoppingName::parse_stored(&self.name).map_err(|e| misfit("name", &e))?,
            store: self.store_id.map(domain_id),
            quantity: self.quantity.map(quantity).transpose()?,
            notes: notes.map_err(|e| misfit("notes", &e))?.flatten(),
        };
        Ok(ShoppingItem {
            id: domain_id(self.id),
            household: domain_id(self.household_id),
            item: self.item_id.map(domain_id),
            details,
            status: ShoppingStatus::parse(&self.status).map_err(|e| misfit("status", &e))?,
            version: u64::try_from(self.version).map_err(|e| misfit("version", &e))?,
            expires_at: self.expires_at.map(|at| at.0),
            added_by: domain_id(self.added_by),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}
