//! Setting and removing parents. Only for the household itself.

use larder_domain::{ParentChildRelationship, Resource, Urn};
use larder_storage::AttachResource;

use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// Sets or replaces the parent of a resource.
    pub async fn attach_resource(
        &self,
        caller: &Caller,
        child: Urn,
        parent: Urn,
    ) -> Result<Resource> {
        let link = ParentChildRelationship::new(parent, child)?;
        let scope = authorize::find_account(caller).ok_or(AppError::ResourceNotFound)?;
        match self.storage.attach_resource(&scope, &link, self.write(None)).await? {
            AttachResource::Attached(child) => {
                self.notify_things_changed(&scope);
                Ok(self.shown(*child))
            }
            AttachResource::NotFound => Err(AppError::ResourceNotFound),
            AttachResource::ParentNotFound => Err(AppError::ParentNotFound),
            AttachResource::Cycle => Err(AppError::Cycle),
        }
    }

    /// Removes a resource from its parent, if it has one.
    pub async fn detach_resource(&self, caller: &Caller, child: &Urn) -> Result<Resource> {
        let scope = authorize::find_account(caller).ok_or(AppError::ResourceNotFound)?;
        let detached = self.storage.detach_resource(&scope, child, self.write(None)).await?;
        let child = detached.ok_or(AppError::ResourceNotFound)?;
        self.notify_things_changed(&scope);
        Ok(self.shown(child))
    }
}
