//! Deleting trees of resources on a record engine: in as many transactions as needed, with
//! interference between any two of them.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a failure is a failed test, and a test makes its own scopes"
)]

#[path = "deleting_trees/cutting.rs"]
mod cutting;
#[path = "deleting_trees/grove.rs"]
mod grove;
#[path = "deleting_trees/interfering.rs"]
mod interfering;
#[path = "deleting_trees/interrupted.rs"]
mod interrupted;
#[path = "deleting_trees/resuming.rs"]
mod resuming;
