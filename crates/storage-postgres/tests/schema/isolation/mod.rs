//! Isolation by the database alone: what a query forgets, the policies do not.
//!
//! The tables come from the catalog. A new one fails these tests until it has policies, a line in
//! [`ownership`] and rows in [`world`].

mod attacks;
mod context;
mod ownership;
mod policies;
mod references;
pub(crate) mod world;
