//! Deleting resources with all that is below them.

mod kills;
mod racing;
mod small;
mod trees;
