//! What the photos of products and of resources have in common: what is sent, and what is answered.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use larder_app::{AppError, FoundPhoto};
use larder_domain::PhotoId;
use larder_http::{MediaKind, Params};
use larder_storage::PhotoSize;
use utoipa::ToSchema;

use crate::ApiError;

/// What a content address names never changes.
const FOR_EVER: &str = "private, max-age=31536000, immutable";
/// What a product or a resource shows may.
const REVALIDATED: &str = "private, no-cache";

/// A picture as a phone takes it.
pub(crate) struct Picture;

impl MediaKind for Picture {
    const TYPES: &'static [&'static str] = &["image/jpeg", "image/png", "image/webp"];
    const MAX_BYTES: usize = 12 << 20;
}

/// The bytes of a photo.
#[derive(ToSchema)]
#[schema(as = PhotoFile, value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct PhotoSchema(Vec<u8>);

/// The photo that a request asks for by its content address, if it does.
pub(crate) fn address(mut params: Params) -> Result<Option<PhotoId>, ApiError> {
    let address = params.text("v");
    let address = params.finish(|| Some(address))?;
    // A malformed address is one that no photo has.
    let address = address.map(|text| PhotoId::parse(&text)).transpose();
    Ok(address.map_err(|_| AppError::PhotoNotFound)?)
}

/// A photo as an answer, which never changes if it was asked for by this address.
pub(crate) fn answer(found: FoundPhoto, address: Option<PhotoId>, size: PhotoSize) -> Response {
    let FoundPhoto { id: photo, jpeg } = found;
    let tag = match size {
        PhotoSize::Full => format!("\"{photo}\""),
        PhotoSize::Thumbnail => format!("\"{photo}-thumbnail\""),
    };
    let caching = if address.is_some() { FOR_EVER } else { REVALIDATED };
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; sandbox"),
    ];
    (headers, jpeg).into_response()
}
