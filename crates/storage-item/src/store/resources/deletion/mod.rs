//! Deleting a resource with all that is below it.
//!
//! What fits into one transaction goes in one ([`delete`]). Anything larger is written down as a job and goes leaf by leaf
//! ([`cascade`]), so that at any moment what is left is a smaller tree in which nothing names what is gone. Both put what
//! they take into a [`batch`], which knows what else falls with it.

mod batch;
mod cascade;
mod delete;
mod job;
mod links;
mod node;
mod preview;
mod take;
mod walk;
