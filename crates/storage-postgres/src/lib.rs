//! The ports natively on PostgreSQL 16: relational tables, row-level security, one SQL transaction per change
//! set.
//!
//! Every transaction begins with its context, on which row-level security depends. Triggers write
//! the change feed, so that no change bypasses it; see `migrations/`.

mod accounts;
mod api_keys;
mod claim;
mod context;
mod database;
mod devices;
mod erasures;
mod failure;
mod feed;
mod grants;
mod households;
mod identities;
mod ids;
mod inventory;
mod items;
mod json;
mod live;
mod mails;
pub mod migrate;
mod notifications;
mod operations;
mod options;
mod places;
mod products;
mod program_tokens;
mod readings;
mod resources;
mod retry;
mod sessions;
mod shopping;
mod store;
mod sweep;
mod tags;
mod transaction;
mod types;
mod upkeep;
mod weeks;

/// Statements, for tests that have the planner explain them.
#[doc(hidden)]
pub mod queries {
    pub use crate::{inventory::list_items, shopping::list_shopping_items};
}

pub use options::PostgresOptions;
pub use store::{OpenError, PostgresStore, Statistics};
pub use sweep::Swept;
