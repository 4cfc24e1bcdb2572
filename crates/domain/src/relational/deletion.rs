//! Deleting a resource with all that is below it.

use jiff::Timestamp;

use super::{UniqueKeys, Urn};
pub use crate::ids::DeletionId;

/// A deletion in more than one transaction: leaf by leaf, so that the rest is a smaller tree at any
/// moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    /// By which it is followed.
    pub id: DeletionId,
    /// The account.
    pub account: Urn,
    /// The root of the tree, which is deleted last.
    pub root: Urn,
    /// The number of deleted resources.
    pub removed: u64,
    /// The number of resources when it began; `None` until they are counted. Resources added below
    /// the root meanwhile are deleted too, so `removed` may exceed it.
    pub total: Option<u64>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it finished; `None` while it is open.
    pub finished_at: Option<Timestamp>,
}

/// A resource that a deletion would delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doomed {
    /// Its name.
    pub urn: Urn,
    /// Its parent.
    pub parent: Option<Urn>,
    /// The values that would be released.
    pub unique_keys: UniqueKeys,
    /// How many memberships, on either side, and grants name it.
    pub links: u64,
}
