//! How two resources belong together. Relationships have no URN of their own.

use thiserror::Error;

use super::Urn;

/// A resource cannot be linked to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a resource cannot be linked to itself")]
pub struct SelfLink;

/// A child that goes with its parent: deleting the parent deletes it, and what is granted on the parent is granted on
/// it. A child has one parent at most.
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

/// A member of a collection. Members stay when the collection goes; what is granted on the collection is granted on
/// them only if the membership conveys it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CollectionMemberRelationship {
    collection: Urn,
    member: Urn,
    /// Whether what is granted on the collection is granted on the member.
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
