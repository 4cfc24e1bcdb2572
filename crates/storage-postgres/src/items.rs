//! Rows of `inventory_items` as items.

use std::fmt::Display;

use larder_domain::{
    ExpirationDate, ImageUrl, Item, ItemDetails, ItemName, Notes, Owner, Quantity, Unit,
};
use larder_storage::{Result, Scope, StorageError};
use uuid::Uuid;

use crate::{
    ids::{domain_id, uuid},
    types::{Day, Instant},
};

/// A row, with quantities in hundredths.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ItemRow {
    pub(crate) id: Uuid,
    pub(crate) household_id: Option<Uuid>,
    pub(crate) name: String,
    pub(crate) quantity: i64,
    pub(crate) unit: String,
    pub(crate) expiration_date: Option<Day>,
    pub(crate) category_id: Uuid,
    pub(crate) storage_location_id: Option<Uuid>,
    pub(crate) image_url: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) low_stock_threshold: Option<i64>,
    pub(crate) preferred_store_id: Option<Uuid>,
    pub(crate) created_by: Uuid,
    pub(crate) created_at: Instant,
    pub(crate) updated_by: Uuid,
    pub(crate) updated_at: Instant,
    pub(crate) version: i64,
    /// What the quantity was before the statement, where the statement tells.
    #[sqlx(default)]
    pub(crate) old_quantity: Option<i64>,
}

/// `query_as!` with the columns of an [`ItemRow`] between two pieces of SQL; the item's table is `i`.
macro_rules! query_items {
    ($before:literal $(+ $more:literal)*, $after:literal $(, $argument:expr)* $(,)?) => {
        $crate::items::query_item_rows!("NULL::bigint", $before $(+ $more)*, $after $(, $argument)*)
    };
}

/// The same for a statement that has the row from before it as `before`.
macro_rules! query_items_with_old_quantity {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        $crate::items::query_item_rows!(
            "(before.quantity * 100)::bigint", $before, $after $(, $argument)*
        )
    };
}

macro_rules! query_item_rows {
    ($old_quantity:literal, $before:literal $(+ $more:literal)*, $after:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            $crate::items::ItemRow,
            $before $(+ $more)*
                + r#" i.id AS "id!", i.household_id AS "household_id?", i.name AS "name!",
                (i.quantity * 100)::bigint AS "quantity!", i.unit AS "unit!",
                i.expiration_date AS "expiration_date?: crate::types::Day",
                i.category_id AS "category_id!", i.storage_location_id AS "storage_location_id?",
                i.image_url AS "image_url?", i.notes AS "notes?",
                (i.low_stock_threshold * 100)::bigint AS "low_stock_threshold?",
                i.preferred_store_id AS "preferred_store_id?", i.created_by AS "created_by!",
                i.created_at AS "created_at!: crate::types::Instant",
                i.updated_by AS "updated_by!",
                i.updated_at AS "updated_at!: crate::types::Instant", i.version AS "version!", "#
                + $old_quantity
                + r#" AS "old_quantity?" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use {query_item_rows, query_items, query_items_with_old_quantity};

/// Whose items a statement is about, as the table says it: one of the two is `NULL`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnerColumns {
    /// The household of shared items.
    pub(crate) household: Option<Uuid>,
    /// The owner of personal ones.
    pub(crate) person: Option<Uuid>,
}

impl OwnerColumns {
    pub(crate) fn of(scope: Scope) -> Self {
        match scope.owner() {
            Owner::Household(household) => Self { household: Some(uuid(household)), person: None },
            Owner::User(user) => Self { household: None, person: Some(uuid(user)) },
        }
    }
}

/// A column that holds what no one can have written.
pub(crate) fn misfit(record: impl Display, column: &str, reason: impl Display) -> StorageError {
    StorageError::Corrupt { record: record.to_string(), reason: format!("{column} {reason}") }
}

impl ItemRow {
    pub(crate) fn into_item(self) -> Result<Item> {
        let record = format!("inventory_items {}", self.id);
        let misfit = |column: &'static str| {
            let record = record.clone();
            move |reason: String| misfit(record, column, reason)
        };
        let quantity = |hundredths, column| {
            Quantity::from_hundredths(hundredths).map_err(|e| misfit(column)(e.to_string()))
        };
        let owner = match self.household_id {
            Some(id) => Owner::Household(domain_id(id)),
            None => Owner::User(domain_id(self.created_by)),
        };
        let date = |day: Day| {
            ExpirationDate::parse(&day.0.to_string())
                .map_err(|e| misfit("expiration_date")(e.to_string()))
        };
        let details = ItemDetails {
            name: ItemName::parse(&self.name).map_err(|e| misfit("name")(e.to_string()))?,
            quantity: quantity(self.quantity, "quantity")?,
            unit: Unit::parse(&self.unit).map_err(|e| misfit("unit")(e.to_string()))?,
            expiration: self.expiration_date.map(date).transpose()?,
            category: domain_id(self.category_id),
            location: self.storage_location_id.map(domain_id),
            image_url: self
                .image_url
                .map(|url| ImageUrl::parse(&url))
                .transpose()
                .map_err(|e| misfit("image_url")(e.to_string()))?,
            notes: self
                .notes
                .map(|notes| Notes::parse(&notes))
                .transpose()
                .map_err(|e| misfit("notes")(e.to_string()))?,
            low_stock_threshold: self
                .low_stock_threshold
                .map(|hundredths| quantity(hundredths, "low_stock_threshold"))
                .transpose()?,
            preferred_store: self.preferred_store_id.map(domain_id),
        };
        Ok(Item {
            id: domain_id(self.id),
            owner,
            details,
            created_by: domain_id(self.created_by),
            created_at: self.created_at.0,
            updated_by: domain_id(self.updated_by),
            updated_at: self.updated_at.0,
            version: u64::try_from(self.version).map_err(|e| misfit("version")(e.to_string()))?,
        })
    }
}
