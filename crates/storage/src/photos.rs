//! Photos of products and of resources, beside them: read only when they are shown.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{PhotoId, Urn};

use crate::{AccountScope, Result, Scope};

/// The most photos of one inventory by default: about 330 MB.
pub const MAX_PHOTOS: usize = 5000;

/// A photo in both sizes, as JPEG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo {
    /// Its content address.
    pub id: PhotoId,
    /// As large as a page shows it.
    pub full: Vec<u8>,
    /// As lists show it.
    pub thumbnail: Vec<u8>,
}

/// Which of the two sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhotoSize {
    /// As large as a page shows it.
    Full,
    /// As lists show it.
    Thumbnail,
}

/// The result of storing a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutPhoto {
    /// It is there, perhaps since before.
    Stored,
    /// The inventory has as many as it may have.
    QuotaExceeded,
}

/// Photos of one inventory. They are part of no feed and no history; products name them
/// ([`crate::Products::replace_product`]), which keeps them.
#[async_trait]
pub trait Photos: Send + Sync {
    /// Stores a photo, which expires unless a product names it. With `quota` photos that have not
    /// expired, used or not, the inventory takes no other.
    async fn put_photo(
        &self,
        scope: Scope,
        photo: &Photo,
        at: Timestamp,
        quota: usize,
    ) -> Result<PutPhoto>;

    /// One size of a photo that has not expired.
    async fn find_photo(
        &self,
        scope: Scope,
        id: PhotoId,
        size: PhotoSize,
    ) -> Result<Option<Vec<u8>>>;
}

/// Photos of resources: one each, which goes with its resource. They are not part of it: its version
/// does not change with them.
#[async_trait]
pub trait ResourcePhotos: Send + Sync {
    /// Gives a resource a photo, in place of the one before. `false` if the account has no such
    /// resource.
    async fn put_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        photo: &Photo,
        at: Timestamp,
    ) -> Result<bool>;

    /// One size of the photo of a resource, with its content address.
    async fn find_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        size: PhotoSize,
    ) -> Result<Option<(PhotoId, Vec<u8>)>>;

    /// Only the content address, without reading the photo.
    async fn find_resource_photo_id(
        &self,
        scope: &AccountScope,
        urn: &Urn,
    ) -> Result<Option<PhotoId>>;

    /// Removes the photo of a resource. `false` if there was none.
    async fn remove_resource_photo(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        at: Timestamp,
    ) -> Result<bool>;
}
