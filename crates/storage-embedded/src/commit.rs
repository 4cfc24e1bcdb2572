//! Group commit: one thread writes; what has queued while it wrote goes into the next SQLite transaction. Another
//! thread flushes what was written to the disk, all of it at once, and answers.

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
