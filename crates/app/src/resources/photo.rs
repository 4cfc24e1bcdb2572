//! The photo of a resource. Whoever may change the resource may change it, and it is seen by whoever
//! may read the resource.

use larder_domain::{PhotoId, Urn};
use larder_storage::PhotoSize;

use super::Permission;
use crate::{App, AppError, Caller, FoundPhoto, Result};

impl App {
    /// Makes a picture the photo of a resource.
    pub async fn set_resource_photo(
        &self,
        caller: &Caller,
        urn: &Urn,
        picture: impl AsRef<[u8]> + Send + 'static,
    ) -> Result<PhotoId> {
        // Nothing is decoded for a resource that the caller may not change.
        let scope = self.reach(caller, urn, Permission::Write).await?;
        let photo = self.photo_of(picture).await?;
        if !self.storage.put_resource_photo(&scope, urn, &photo, self.now()).await? {
            return Err(AppError::ResourceNotFound);
        }
        self.notify_things_changed(&scope);
        Ok(photo.id)
    }

    /// Removes the photo of a resource for good.
    pub async fn remove_resource_photo(&self, caller: &Caller, urn: &Urn) -> Result<()> {
        let scope = self.reach(caller, urn, Permission::Write).await?;
        if !self.storage.remove_resource_photo(&scope, urn, self.now()).await? {
            return Err(AppError::PhotoNotFound);
        }
        self.notify_things_changed(&scope);
        Ok(())
    }

    /// One size of the photo of a resource, if that is the one with this address.
    pub async fn resource_photo(
        &self,
        caller: &Caller,
        urn: &Urn,
        address: Option<PhotoId>,
        size: PhotoSize,
    ) -> Result<FoundPhoto> {
        let scope = self.reach(caller, urn, Permission::Read).await?;
        let found = self.storage.find_resource_photo(&scope, urn, size).await?;
        let (id, jpeg) = found
            .filter(|(id, _)| address.is_none_or(|address| address == *id))
            .ok_or(AppError::PhotoNotFound)?;
        Ok(FoundPhoto { id, jpeg })
    }

    /// The address of the photo of a resource, if it has one.
    pub async fn resource_photo_id(&self, caller: &Caller, urn: &Urn) -> Result<Option<PhotoId>> {
        let scope = self.reach(caller, urn, Permission::Read).await?;
        Ok(self.storage.find_resource_photo_id(&scope, urn).await?)
    }
}
