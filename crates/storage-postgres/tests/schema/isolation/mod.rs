//! Isolation by row-level security only, even if a query forgets its condition.
//!
//! The tables come from the catalog. A new one fails these tests until it has policies, a line in
//! [`ownership`] and rows in [`world`].

mod attacks;
mod context;
mod ownership;
mod policies;
mod references;
pub(crate) mod world;
