//! Change records, in the order of each partition. They are the journal, and the lock under which a
//! partition changes.
//!
//! The `n`-th transaction that changed a partition writes its first change under the sort key `n`,
//! on the condition that the key is free. So a writer must have seen the previous transaction, and
//! of two concurrent ones only one succeeds. Further changes of the transaction follow under `n#i`.
//! The first change of the newest transaction never expires, so that `n` is never reused.

pub(crate) mod entry;
mod forget;
pub(crate) mod place;
mod read;
mod window;

pub(crate) use place::Place;
