//! The ports on a real PostgreSQL: the conformance suite, live changes between two stores, faults,
//! a pooler in between, TLS.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]
#![expect(clippy::disallowed_methods, reason = "tests stand in for authorization")]

mod deletions;
mod drift;
mod faults;
mod faulty_readings;
mod fleet;
mod home;
mod launch;
mod live;
mod locking;
mod opening;
mod pooler;
mod readings;
mod relay;
mod settling;
mod sweeping;
mod sweeping_readings;
mod things;
mod tls;
mod trees;

mod conformance {
    larder_storage_testkit::store_conformance!(crate::launch::harness);
}
