//! Deleting a resource with all that is below it.

use jiff::Timestamp;

use super::{UniqueKeys, Urn};
pub use crate::ids::DeletionId;

/// A deletion that took, or takes, more than one transaction: leaf by leaf, so that what is left is a smaller tree at any
/// moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    /// By which it is followed.
    pub id: DeletionId,
    /// The account.
    pub account: Urn,
    /// The resource that goes last.
    pub root: Urn,
    /// How many resources are gone.
    pub removed: u64,
    /// How many resources there were to go when it began; `None` until they are counted. What is put below the root
    /// meanwhile goes too, so that more may be removed.
    pub total: Option<u64>,
    /// When it began.
    pub started_at: Timestamp,
    /// When nothing was left; `None` while it goes on.
    pub finished_at: Option<Timestamp>,
}

/// A resource that a deletion would take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doomed {
    /// Its name.
    pub urn: Urn,
    /// What it belongs into.
    pub parent: Option<Urn>,
    /// The values that would be free again.
    pub unique_keys: UniqueKeys,
    /// How many memberships, on either side, and grants name it.
    pub links: u64,
}
