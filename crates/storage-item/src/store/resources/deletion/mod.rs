//! Deleting a resource with all that is below it.
//!
//! A tree that fits into one transaction is deleted in one ([`delete`]). A larger one is deleted by
//! a job, leaf by leaf ([`cascade`]), so that at any moment the rest is a smaller tree without
//! dangling references. Both collect resources in a [`batch`], which adds the records to be deleted
//! with them.

mod batch;
mod cascade;
mod delete;
mod job;
mod links;
mod node;
mod preview;
mod take;
mod walk;
