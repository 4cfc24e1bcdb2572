//! The engine on DynamoDB Local: both suites, the golden and the seeds' records, and tests with
//! several servers or network faults.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test's helpers fail by panicking, and play the part of authorization"
)]

mod account;
mod get_many;
mod golden;
mod ingestion;
mod launch;
mod outage;
#[path = "../support/raw.rs"]
mod raw;
mod relational;
mod relational_seeds;
mod repeating;
mod retention;
#[path = "../support/scripted.rs"]
mod scripted;
mod sdk;
mod seeds;
mod servers;
mod telemetry_seeds;

mod record_engine {
    larder_storage_testkit::record_engine_conformance!(crate::launch::engine);
}

mod ports {
    larder_storage_testkit::store_conformance!(crate::launch::store);
}
