//! Group commit: one thread writes; what has queued while it wrote goes into the next SQLite transaction, with one
//! flush to the disk for all of it.

mod apply;
mod change;
pub(crate) mod delay;
mod job;
mod recent;
mod sweep;
mod transact;
mod validate;
mod writer;

pub(crate) use job::{Committer, Job};
pub use sweep::Swept;
pub(crate) use validate::validate;
pub(crate) use writer::Writer;
