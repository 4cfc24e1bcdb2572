//! Photos: made small enough to be records like others, with nothing in them but pixels.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GenericImageView, RgbImage};

use crate::decode::{Decoded, PictureLimits, decode};
use crate::refusal::{ImageRefused, guarded};

/// The largest photo that is stored.
pub const MAX_PHOTO_BYTES: usize = 60_000;

/// The largest thumbnail.
pub const MAX_THUMBNAIL_BYTES: usize = 6_000;

/// The longer side of a photo, in pixels.
const PHOTO_SIDE: u32 = 512;

/// The longer side of a thumbnail, in pixels.
const THUMBNAIL_SIDE: u32 = 96;

/// What a phone takes by default has at most 24.5 megapixels. Its pixels need 75 MB, 100 MB with
/// transparency.
pub(crate) const PHOTO_LIMITS: PictureLimits =
    PictureLimits { side: 16_384, megapixels: 25, bytes: 128 << 20 };

/// The first that gives a small enough file is taken. Below the last one, blocks show more than fewer
/// pixels would.
const QUALITIES: [u8; 6] = [85, 75, 65, 55, 45, 35];

/// A photo in the two sizes that are stored. Both are JPEG and have no metadata.
#[derive(Clone, PartialEq, Eq)]
pub struct PreparedPhoto {
    /// At most 512 pixels on the longer side, at most [`MAX_PHOTO_BYTES`].
    pub full: Vec<u8>,
    /// At most 96 pixels on the longer side, at most [`MAX_THUMBNAIL_BYTES`].
    pub thumbnail: Vec<u8>,
}

/// Decodes a JPEG, PNG or WebP, turns it upright, drops all metadata and scales it down. The format
/// is what the content says. A picture of at most 25 megapixels is taken.
pub fn prepare_photo(bytes: &[u8]) -> Result<PreparedPhoto, ImageRefused> {
    let Decoded { picture, orientation } = decode(bytes, PHOTO_LIMITS)?;
    guarded(|| {
        let mut photo = fit(&picture, PHOTO_SIDE);
        drop(picture);
        // Turned after scaling, when there is little to turn.
        photo.apply_orientation(orientation);
        let thumbnail = fit(&photo, THUMBNAIL_SIDE);
        Ok(PreparedPhoto {
            full: encode_within(photo.into_rgb8(), MAX_PHOTO_BYTES)?,
            thumbnail: encode_within(thumbnail.into_rgb8(), MAX_THUMBNAIL_BYTES)?,
        })
    })
}

/// The picture with its longer side at most this long. Smaller ones are not enlarged.
fn fit(picture: &DynamicImage, side: u32) -> DynamicImage {
    let (width, height) = picture.dimensions();
    if width.max(height) <= side { picture.clone() } else { picture.thumbnail(side, side) }
}

/// Encodes in the best quality that fits. If none does, the picture shrinks until one fits.
fn encode_within(mut picture: RgbImage, max_bytes: usize) -> Result<Vec<u8>, ImageRefused> {
    loop {
        for quality in QUALITIES {
            let mut file = Vec::new();
            let mut encoder = JpegEncoder::new_with_quality(&mut file, quality);
            encoder.encode_image(&picture).map_err(|_| ImageRefused::Damaged)?;
            if file.len() <= max_bytes {
                return Ok(file);
            }
        }
        let (width, height) = picture.dimensions();
        let smaller = |side: u32| (side * 3 / 4).max(1);
        picture = image::imageops::thumbnail(&picture, smaller(width), smaller(height));
    }
}

#[cfg(test)]
#[path = "photo_tests.rs"]
mod tests;
