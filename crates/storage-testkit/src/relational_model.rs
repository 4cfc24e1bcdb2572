//! The ports of the relational store in the plainest terms: the domain's rules applied to maps.

mod access;
mod deletion;
mod links;
mod reading;

use std::collections::BTreeMap;

use jiff::Timestamp;
use larder_domain::{Grant, GrantPosition, Resource, UniqueKey, Urn};
use larder_storage::{CreateResource, ReplaceResource, TakenKey};

/// All resources, memberships and grants of all accounts, as any store should behave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RelationalModel {
    resources: BTreeMap<Urn, Resource>,
    /// By collection and member.
    members: BTreeMap<(Urn, Urn), Kept>,
    grants: BTreeMap<GrantPosition, Grant>,
}

/// The stored fields of a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    conveys: bool,
    created_at: Timestamp,
}

impl RelationalModel {
    /// As [`larder_storage::Resources::create_resource`].
    pub fn create(&mut self, account: &Urn, resource: &Resource) -> CreateResource {
        if self.resources.contains_key(&resource.urn) {
            return CreateResource::Exists;
        }
        if resource.parent.as_ref().is_some_and(|parent| self.find(account, parent).is_none()) {
            return CreateResource::ParentNotFound;
        }
        if let Some(taken) = self.first_taken(account, resource) {
            return CreateResource::UniqueKeyTaken(taken);
        }
        self.resources.insert(resource.urn.clone(), resource.clone());
        CreateResource::Created
    }

    /// As [`larder_storage::Resources::find_resource`].
    pub fn find(&self, account: &Urn, urn: &Urn) -> Option<&Resource> {
        self.resources.get(urn).filter(|resource| resource.account == *account)
    }

    /// As [`larder_storage::Resources::replace_resource`].
    pub fn replace(
        &mut self,
        account: &Urn,
        new: &Resource,
        expected_version: Option<u64>,
        at: Timestamp,
    ) -> ReplaceResource {
        let Some(current) = self.find(account, &new.urn) else { return ReplaceResource::NotFound };
        if expected_version.is_some_and(|expected| expected != current.version) {
            return ReplaceResource::Stale(Box::new(current.clone()));
        }
        if let Some(taken) = self.first_taken(account, new) {
            return ReplaceResource::UniqueKeyTaken(taken);
        }
        let replaced = Resource {
            attributes: new.attributes.clone(),
            schema_version: new.schema_version,
            unique_keys: new.unique_keys.clone(),
            ..changed(current, at)
        };
        self.resources.insert(new.urn.clone(), replaced.clone());
        ReplaceResource::Replaced(Box::new(replaced))
    }

    /// As [`larder_storage::Resources::rewrite_resource`].
    pub fn rewrite(&mut self, new: &Resource) -> bool {
        let current = self.resources.get_mut(&new.urn);
        let Some(current) = current.filter(|current| current.version == new.version) else {
            return false;
        };
        current.attributes = new.attributes.clone();
        current.schema_version = new.schema_version;
        true
    }

    /// Every resource, in order of URNs.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.resources.values()
    }

    /// The first of these values that another resource has.
    fn first_taken(&self, account: &Urn, wanted: &Resource) -> Option<TakenKey> {
        wanted.unique_keys.iter().find_map(|key| {
            let holder = self.holder(&wanted.urn, key).filter(|urn| *urn != &wanted.urn)?;
            let is_ours = self.find(account, holder).is_some();
            Some(TakenKey { key: key.clone(), holder: is_ours.then(|| holder.clone()) })
        })
    }

    /// The holder of a value, among all resources of the same type in any domain and account.
    pub fn holder(&self, of_type: &Urn, key: &UniqueKey) -> Option<&Urn> {
        let holds = |resource: &&Resource| {
            resource.urn.resource_type() == of_type.resource_type()
                && resource.unique_keys.holds(key)
        };
        self.resources.values().find(holds).map(|resource| &resource.urn)
    }
}

/// The resource with its version counted on.
fn changed(resource: &Resource, at: Timestamp) -> Resource {
    Resource { version: resource.version + 1, updated_at: at, ..resource.clone() }
}
