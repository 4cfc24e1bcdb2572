//! What has nothing to do with the engine, and is said once.

mod over_tls;
mod simulating;
mod starting;
