//! The conformance suite: the criteria of `docs/engine-criteria.md` as tests that any engine can
//! bind.
//!
//! A record engine binds [`record_engine_conformance!`], a store binds [`store_conformance!`], each
//! with one async function that makes a fresh harness. Every test names its criterion.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a suite fails by panicking, as its tests do, and plays the part of authorization"
)]

mod bind;
mod engine_harness;
pub mod golden;
mod intercept;
mod lagging;
mod model;
mod pace;
pub mod ports;
mod random;
pub mod record;
mod reference;
mod relational_model;
mod sample;
mod shopping_model;
mod store_harness;
mod telemetry_model;

pub use engine_harness::EngineHarness;
pub use intercept::{Intercept, Intercepted};
pub use lagging::Lagging;
pub use model::InventoryModel;
pub use pace::{Exact, Pace};
#[doc(hidden)]
pub use ports::{relational, telemetry};
pub use random::{Random, seed};
pub use reference::ReferenceEngine;
pub use relational_model::RelationalModel;
pub use shopping_model::ShoppingModel;
pub use store_harness::{DriftTarget, Home, PastPorts, StoreHarness};
pub use telemetry_model::{Chart, TelemetryModel};

/// The initial time of the tests' clocks: years ahead, so that no database's own sweep deletes a
/// test's records as expired.
pub const START: jiff::Timestamp = jiff::Timestamp::constant(1_925_000_000, 0);
