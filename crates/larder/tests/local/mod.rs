//! What has nothing to do with the engine, and is said once.

mod backing_up;
mod over_tls;
mod panics;
mod simulating;
mod starting;
