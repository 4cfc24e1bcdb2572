//! Parents and collections.

use jiff::Timestamp;
use larder_domain::{CollectionMemberRelationship, ParentChildRelationship, Resource, Urn};
use larder_storage::{AddMember, AttachResource};

use super::{Kept, RelationalModel, changed};

impl RelationalModel {
    /// As [`larder_storage::Resources::attach_resource`].
    pub fn attach(
        &mut self,
        account: &Urn,
        link: &ParentChildRelationship,
        at: Timestamp,
    ) -> AttachResource {
        let Some(child) = self.find(account, link.child()).cloned() else {
            return AttachResource::NotFound;
        };
        if self.find(account, link.parent()).is_none() {
            return AttachResource::ParentNotFound;
        }
        if self.way_up(link.parent()).any(|above| above.urn == *link.child()) {
            return AttachResource::Cycle;
        }
        if child.parent.as_ref() == Some(link.parent()) {
            return AttachResource::Attached(Box::new(child));
        }
        let parent = Some(link.parent().clone());
        let attached = Resource { parent, ..changed(&child, at) };
        self.resources.insert(attached.urn.clone(), attached.clone());
        AttachResource::Attached(Box::new(attached))
    }

    /// As [`larder_storage::Resources::detach_resource`].
    pub fn detach(&mut self, account: &Urn, child: &Urn, at: Timestamp) -> Option<Resource> {
        let child = self.find(account, child)?.clone();
        if child.parent.is_none() {
            return Some(child);
        }
        let detached = Resource { parent: None, ..changed(&child, at) };
        self.resources.insert(detached.urn.clone(), detached.clone());
        Some(detached)
    }

    /// The resource itself, its parent, and so on.
    pub(super) fn way_up(&self, from: &Urn) -> impl Iterator<Item = &Resource> {
        std::iter::successors(self.resources.get(from), |at| {
            at.parent.as_ref().and_then(|parent| self.resources.get(parent))
        })
    }

    /// As [`larder_storage::Resources::add_to_collection`].
    pub fn add_to_collection(
        &mut self,
        account: &Urn,
        link: &CollectionMemberRelationship,
        at: Timestamp,
    ) -> AddMember {
        if self.find(account, link.collection()).is_none() {
            return AddMember::CollectionNotFound;
        }
        if self.find(account, link.member()).is_none() {
            return AddMember::MemberNotFound;
        }
        let key = (link.collection().clone(), link.member().clone());
        let conveys = link.conveys_authorization;
        if let Some(kept) = self.members.get_mut(&key) {
            kept.conveys = conveys;
            return AddMember::AlreadyMember;
        }
        self.members.insert(key, Kept { conveys, created_at: at });
        AddMember::Added
    }

    /// As [`larder_storage::Resources::remove_from_collection`].
    pub fn remove_from_collection(
        &mut self,
        account: &Urn,
        collection: &Urn,
        member: &Urn,
    ) -> bool {
        self.find(account, collection).is_some()
            && self.members.remove(&(collection.clone(), member.clone())).is_some()
    }
}
