//! Change records: what happened to which record, in the order of each partition. They are the journal, and the
//! lock under which a partition changes.
//!
//! The `n`-th transaction that changed a partition leaves its first change under the sort key `n`, written only if
//! nothing is there. Whoever wants to be the `n`-th must therefore have seen the one before, and of two only one can
//! be. Further changes of the transaction follow under `n#i`. The first change of the newest transaction never
//! expires, so that `n` is never used twice.

pub(crate) mod entry;
pub(crate) mod place;
mod read;
mod window;

pub(crate) use place::Place;
