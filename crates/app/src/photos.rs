//! Photos of products.

use larder_domain::{PhotoId, ProductDetails, ProductId};
use larder_storage::{MAX_PHOTOS, Photo, PhotoSize, PutPhoto};
use sha2::{Digest, Sha256};

use crate::{App, AppError, Caller, Result, authorize};

/// One size of a photo, as JPEG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPhoto {
    /// Its content address.
    pub id: PhotoId,
    /// The file.
    pub jpeg: Vec<u8>,
}

impl App {
    /// Makes a picture the photo of a product.
    pub async fn set_photo(
        &self,
        caller: &Caller,
        id: ProductId,
        picture: impl AsRef<[u8]> + Send + 'static,
    ) -> Result<PhotoId> {
        // Nothing is decoded for a product that is not the caller's.
        self.product(caller, id).await?;
        let photo = self.photo_of(picture).await?;
        let scope = authorize::inventory(caller);
        match self.storage.put_photo(scope, &photo, self.now(), MAX_PHOTOS).await? {
            PutPhoto::Stored => {}
            PutPhoto::QuotaExceeded => return Err(AppError::QuotaExceeded(MAX_PHOTOS)),
        }
        self.name_photo(caller, id, Some(photo.id)).await?;
        Ok(photo.id)
    }

    /// The photo that a picture becomes. Call it only for somebody who may store it.
    pub(crate) async fn photo_of(
        &self,
        picture: impl AsRef<[u8]> + Send + 'static,
    ) -> Result<Photo> {
        let prepared = self.prepare_photo(picture).await?;
        let digest = Sha256::digest(&prepared.full).into();
        Ok(Photo {
            id: PhotoId::from_sha256(&digest),
            full: prepared.full,
            thumbnail: prepared.thumbnail,
        })
    }

    /// Removes the photo of a product. It can be brought back for thirty days.
    pub async fn remove_photo(&self, caller: &Caller, id: ProductId) -> Result<()> {
        if self.product(caller, id).await?.product.details.photo.is_none() {
            return Err(AppError::PhotoNotFound);
        }
        self.name_photo(caller, id, None).await
    }

    async fn name_photo(
        &self,
        caller: &Caller,
        id: ProductId,
        photo: Option<PhotoId>,
    ) -> Result<()> {
        let named = |details: &ProductDetails| Ok(ProductDetails { photo, ..details.clone() });
        self.amend_product(caller, id, named).await.map(drop)
    }

    /// One size of the photo of a product, or of the one with this address that it has or had.
    pub async fn photo(
        &self,
        caller: &Caller,
        id: ProductId,
        address: Option<PhotoId>,
        size: PhotoSize,
    ) -> Result<FoundPhoto> {
        let product = self.product(caller, id).await?.product;
        let id = address.or(product.details.photo).ok_or(AppError::PhotoNotFound)?;
        let found = self.storage.find_photo(authorize::inventory(caller), id, size).await?;
        let jpeg = found.ok_or(AppError::PhotoNotFound)?;
        Ok(FoundPhoto { id, jpeg })
    }
}
