//! Use cases: authorize → read → decide (domain) → commit.
//!
//! Everything that people do with Larder is a method of [`App`]. This crate knows no transport and no
//! engine: what stood in the way is an [`AppError`], and a store is whatever implements the ports. Scopes,
//! without which no port can be called, are made in `authorize` alone.

mod accounts;
mod app;
mod authorize;
mod caller;
mod entropy;
mod error;
mod households;
mod idempotency;
mod inventory;
mod live;
mod members;
mod places;
mod settings;
mod tokens;

pub use accounts::Login;
pub use app::App;
pub use caller::Caller;
pub use entropy::Entropy;
pub use error::{AppError, Result};
pub use households::HouseholdEntered;
pub use settings::{AppSettings, ExternalIssuer, PasswordCost, SettingsError};
