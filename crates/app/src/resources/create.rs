//! Making resources.

use std::sync::PoisonError;

use jiff::Timestamp;
use larder_domain::{
    Attributes, ParentChildRelationship, Resource, ResourceType, UniqueKeys, Urn, UrnDomain,
};
use larder_storage::{AccountScope, CreateResource, IdempotencyClaim, Write};

use super::{Guest, Permission};
use crate::{App, AppError, Caller, Result, authorize};

/// How a new resource is to be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewUrn {
    /// By a fresh id.
    OfType(ResourceType),
    /// Chosen by the client.
    Given(Urn),
}

/// A resource to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewResource {
    /// Its name.
    pub urn: NewUrn,
    /// Its parent.
    pub parent: Option<Urn>,
    /// Values that no other resource of its type may have.
    pub unique_keys: UniqueKeys,
    /// Its other attributes.
    pub attributes: Attributes,
}

impl NewUrn {
    fn resource_type(&self) -> &ResourceType {
        match self {
            Self::OfType(resource_type) => resource_type,
            Self::Given(urn) => urn.resource_type(),
        }
    }
}

impl App {
    /// Creates a resource in the caller's account, or in its parent's if a grant permits writing
    /// there.
    pub async fn create_resource(
        &self,
        caller: &Caller,
        new: NewResource,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Resource> {
        if new.urn.resource_type().is_reserved() {
            return Err(AppError::ReservedResourceType);
        }
        let write = self.write(claim);
        let schema_version = self.schemas.newest(new.urn.resource_type());
        let urn = match new.urn {
            NewUrn::OfType(resource_type) => self.fresh_urn(resource_type, write.at),
            NewUrn::Given(urn) => urn,
        };
        if let Some(parent) = new.parent.clone() {
            ParentChildRelationship::new(parent, urn.clone())?;
        }
        let in_account = |scope: &AccountScope| Resource {
            urn: urn.clone(),
            account: scope.account().clone(),
            parent: new.parent.clone(),
            schema_version,
            version: 1,
            unique_keys: new.unique_keys.clone(),
            attributes: new.attributes.clone(),
            created_at: write.at,
            updated_at: write.at,
        };
        if let Some(own) = authorize::find_account(caller) {
            match self.create_in(&own, in_account(&own), write).await {
                Err(AppError::ParentNotFound) => {}
                created => return created,
            }
        }
        let parent = new.parent.as_ref().ok_or(AppError::HouseholdRequired)?;
        let guest = self.guest(caller, parent, Permission::Write).await?;
        let guest = guest.ok_or(AppError::ParentNotFound)?;
        let created = self.create_in(&guest.scope, in_account(&guest.scope), write).await;
        created.map_err(Guest::told)
    }

    async fn create_in(
        &self,
        scope: &AccountScope,
        resource: Resource,
        write: Write<'_>,
    ) -> Result<Resource> {
        match self.storage.create_resource(scope, &resource, write).await? {
            CreateResource::Created => {
                self.notify_things_changed(scope);
                Ok(resource)
            }
            CreateResource::Exists => Err(AppError::ResourceExists),
            CreateResource::ParentNotFound => Err(AppError::ParentNotFound),
            CreateResource::UniqueKeyTaken(taken) => Err(taken.into()),
        }
    }

    /// A name with an id that is greater than every one that this process has made before.
    pub(crate) fn fresh_urn(&self, resource_type: ResourceType, at: Timestamp) -> Urn {
        let random = self.entropy.bytes();
        // The last id is valid even if another thread panicked.
        let mut ids = self.resource_ids.lock().unwrap_or_else(PoisonError::into_inner);
        Urn::new(UrnDomain::larder(), resource_type, ids.next(at, random))
    }
}
