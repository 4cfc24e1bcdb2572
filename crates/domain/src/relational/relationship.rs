//! How two resources belong together. Relationships have no URN of their own.

use thiserror::Error;

use super::Urn;

/// A resource cannot be linked to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a resource cannot be linked to itself")]
pub struct SelfLink;

/// A child of a parent: it is deleted with the parent, and inherits its grants. A child has at most
/// one parent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ParentChildRelationship {
    parent: Urn,
    child: Urn,
}

impl ParentChildRelationship {
    /// The link between two resources that differ.
    pub fn new(parent: Urn, child: Urn) -> Result<Self, SelfLink> {
        if parent == child { Err(SelfLink) } else { Ok(Self { parent, child }) }
    }

    /// The parent.
    pub const fn parent(&self) -> &Urn {
        &self.parent
    }

    /// The child.
    pub const fn child(&self) -> &Urn {
        &self.child
    }
}

/// A member of a collection. Members outlive the collection; they inherit its grants only if the
/// membership conveys them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CollectionMemberRelationship {
    collection: Urn,
    member: Urn,
    /// Whether grants on the collection extend to the member.
    pub conveys_authorization: bool,
}

impl CollectionMemberRelationship {
    /// The link between two resources that differ.
    pub fn new(
        collection: Urn,
        member: Urn,
        conveys_authorization: bool,
    ) -> Result<Self, SelfLink> {
        if collection == member {
            return Err(SelfLink);
        }
        Ok(Self { collection, member, conveys_authorization })
    }

    /// The collection.
    pub const fn collection(&self) -> &Urn {
        &self.collection
    }

    /// The member.
    pub const fn member(&self) -> &Urn {
        &self.member
    }
}
