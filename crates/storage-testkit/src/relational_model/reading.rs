//! Lists, whole and without pages.

use larder_domain::{PropertyName, Resource, ResourceKind, UniqueKey, UniqueValue, Urn};
use larder_storage::Membership;

use super::{Kept, RelationalModel};

impl RelationalModel {
    /// As [`larder_storage::Resources::list_resources`].
    pub fn list(&self, account: &Urn, kind: Option<&ResourceKind>) -> Vec<Resource> {
        let ours = self.resources.values().filter(|resource| resource.account == *account);
        let of_kind = |resource: &&Resource| kind.is_none_or(|kind| resource.urn.kind() == *kind);
        ours.filter(of_kind).cloned().collect()
    }

    /// As [`larder_storage::Resources::list_children`].
    pub fn children(&self, account: &Urn, parent: &Urn) -> Option<Vec<Resource>> {
        self.find(account, parent)?;
        Some(self.below(parent).cloned().collect())
    }

    /// The children, in the order of the URNs.
    pub(super) fn below(&self, parent: &Urn) -> impl Iterator<Item = &Resource> {
        self.resources.values().filter(move |resource| resource.parent.as_ref() == Some(parent))
    }

    /// As [`larder_storage::Resources::list_ancestors`].
    pub fn ancestors(&self, account: &Urn, urn: &Urn) -> Option<Vec<Resource>> {
        self.find(account, urn)?;
        Some(self.way_up(urn).skip(1).cloned().collect())
    }

    /// As [`larder_storage::Resources::list_collection_members`].
    pub fn members(&self, account: &Urn, collection: &Urn) -> Option<Vec<Membership>> {
        self.find(account, collection)?;
        let links = self.members.iter().filter(|((of, _), _)| of == collection);
        Some(links.map(|((_, member), kept)| self.membership(member, *kept)).collect())
    }

    /// As [`larder_storage::Resources::list_collections`].
    pub fn collections(&self, account: &Urn, member: &Urn) -> Option<Vec<Membership>> {
        self.find(account, member)?;
        let links = self.members.iter().filter(|((_, of), _)| of == member);
        Some(links.map(|((collection, _), kept)| self.membership(collection, *kept)).collect())
    }

    fn membership(&self, other: &Urn, kept: Kept) -> Membership {
        let Kept { conveys, created_at } = kept;
        let resource = self.resources[other].clone();
        Membership { resource, conveys_authorization: conveys, created_at }
    }

    /// As [`larder_storage::Resources::find_by_unique_key`].
    pub fn find_by_key(
        &self,
        account: &Urn,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Option<Resource> {
        let candidates = self.list(account, Some(kind));
        let with = |fits: &dyn Fn(&UniqueKey) -> bool| {
            let has = |key: &UniqueKey| key.property == *property && fits(key);
            candidates.iter().find(|resource| resource.unique_keys.iter().any(has)).cloned()
        };
        with(&|key| key.compared() == value.as_str())
            .or_else(|| with(&|key| key.case_insensitive && key.compared() == value.folded()))
    }
}
