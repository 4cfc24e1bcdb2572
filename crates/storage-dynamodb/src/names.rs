//! What the tables are called in the account.

use larder_storage_item::Table;

use crate::tables::{CHANGES, TablesError, physical_name};

/// The names of all tables, with their prefix.
#[derive(Debug)]
pub(crate) struct TableNames {
    inventory_management: String,
    relational: String,
    pub(crate) changes: String,
}

impl TableNames {
    pub(crate) fn new(prefix: &str) -> Result<Self, TablesError> {
        Ok(Self {
            inventory_management: physical_name(prefix, Table::InventoryManagement.name())?,
            relational: physical_name(prefix, Table::Relational.name())?,
            changes: physical_name(prefix, CHANGES)?,
        })
    }

    pub(crate) fn of(&self, table: Table) -> &str {
        match table {
            Table::InventoryManagement => &self.inventory_management,
            Table::Relational => &self.relational,
        }
    }

    pub(crate) fn all(&self) -> [&str; 3] {
        [&self.inventory_management, &self.relational, &self.changes]
    }
}
