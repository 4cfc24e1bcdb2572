//! Group commit: one thread writes; jobs that were queued meanwhile go into the next SQLite
//! transaction. Another thread flushes all written commits to disk at once, and sends the results.

mod apply;
mod checkpoint;
mod flush;
mod idle;
mod job;
mod recent;
mod sweep;
mod transact;
mod writer;

pub(crate) use flush::{Audience, DiskFailure, WriteFailure};
pub(crate) use job::{Committer, Job, Reply};
pub use sweep::Swept;
pub(crate) use writer::Writer;
