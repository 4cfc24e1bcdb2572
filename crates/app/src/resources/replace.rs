//! Replacing a resource.

use larder_domain::{Attributes, Resource, SchemaVersion, UniqueKeys, Urn};
use larder_storage::{AccountScope, ReplaceResource, StorageError, Write};

use super::{Guest, Permission};
use crate::{App, AppError, Caller, Result, authorize};

/// How often a change without an expected version is retried after concurrent changes.
const ATTEMPTS: usize = 10;

/// Identifies one state of a resource, as shown to a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceTag {
    /// How often it was changed, plus one.
    pub version: u64,
    /// The shape in which it is shown.
    pub schema_version: SchemaVersion,
}

impl ResourceTag {
    /// The tag of a resource.
    pub fn of(resource: &Resource) -> Self {
        Self { version: resource.version, schema_version: resource.schema_version }
    }
}

/// In which state a resource must be for a change to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Any state.
    Any,
    /// In one of these.
    OneOf(Vec<ResourceTag>),
}

/// The new content of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceChange {
    /// Its attributes, in the newest shape.
    pub attributes: Attributes,
    /// Its unique values; `None` leaves them unchanged.
    pub unique_keys: Option<UniqueKeys>,
}

impl App {
    /// Changes a resource that is in the expected state.
    pub async fn replace_resource(
        &self,
        caller: &Caller,
        urn: &Urn,
        precondition: &Precondition,
        change: &ResourceChange,
    ) -> Result<Resource> {
        if let Some(own) = authorize::find_account(caller) {
            match self.replace_in(&own, urn, precondition, change).await {
                Err(AppError::ResourceNotFound) => {}
                replaced => return replaced,
            }
        }
        let guest = self.guest(caller, urn, Permission::Write).await?;
        let guest = guest.ok_or(AppError::ResourceNotFound)?;
        match self.replace_in(&guest.scope, urn, precondition, change).await {
            Ok(replaced) => Ok(guest.shown(replaced)),
            Err(AppError::ResourceVersionConflict(_)) => {
                // The write permission does not imply reading what others have written.
                let reader = self.guest(caller, urn, Permission::Read).await?;
                let reader = reader.ok_or(AppError::ResourceVersionConflict(None))?;
                let current = self.storage.find_resource(&reader.scope, urn).await?;
                let current = current.map(|current| reader.shown(self.shown(current)));
                Err(AppError::ResourceVersionConflict(current.map(Box::new)))
            }
            Err(error) => Err(Guest::told(error)),
        }
    }

    async fn replace_in(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        precondition: &Precondition,
        change: &ResourceChange,
    ) -> Result<Resource> {
        for _ in 0..ATTEMPTS {
            let found = self.storage.find_resource(scope, urn).await?;
            let current = self.shown(found.ok_or(AppError::ResourceNotFound)?);
            let newest = self.schemas.newest(urn.resource_type());
            if current.schema_version > newest {
                return Err(AppError::SchemaTooNew);
            }
            if !precondition.allows(&current) {
                return Err(AppError::ResourceVersionConflict(Some(Box::new(current))));
            }
            let write = Write::at(self.now());
            let replacement = Resource {
                schema_version: newest,
                attributes: change.attributes.clone(),
                unique_keys: change.unique_keys.clone().unwrap_or(current.unique_keys),
                updated_at: write.at,
                ..current
            };
            let expected = Some(replacement.version);
            match self.storage.replace_resource(scope, &replacement, expected, write).await? {
                ReplaceResource::Replaced(resource) => {
                    self.notify_things_changed(scope);
                    return Ok(*resource);
                }
                ReplaceResource::NotFound => return Err(AppError::ResourceNotFound),
                ReplaceResource::UniqueKeyTaken(taken) => return Err(taken.into()),
                // The next attempt sees the new state, and whether the change is still permitted.
                ReplaceResource::Stale(_) => {}
            }
        }
        let busy = format!("{urn} is changed all the time");
        Err(AppError::Storage(StorageError::Contention(busy)))
    }
}

impl Precondition {
    fn allows(&self, current: &Resource) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => tags.contains(&ResourceTag::of(current)),
        }
    }
}
