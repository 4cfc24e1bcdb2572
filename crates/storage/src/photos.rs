//! Photos of products, beside them: read only when they are shown.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::PhotoId;

use crate::{Result, Scope};

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
