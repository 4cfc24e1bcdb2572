//! The engine on DynamoDB Local: both suites, the golden records, and what only several servers or a broken line show.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

mod golden;
mod launch;
mod outage;
#[path = "../support/raw.rs"]
mod raw;
mod repeating;
mod retention;
#[path = "../support/scripted.rs"]
mod scripted;
mod servers;

mod record_engine {
    larder_storage_testkit::record_engine_conformance!(crate::launch::engine);
}

mod ports {
    larder_storage_testkit::store_conformance!(crate::launch::store);
}
