//! From untrusted bytes to pixels, within limits.

use std::io::Cursor;

use image::error::{ImageError, LimitErrorKind};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbaImage};

use crate::completeness::{is_complete_jpeg, is_complete_png, is_complete_webp};
use crate::refusal::{ImageRefused, guarded};

/// How large a picture may be, at most. All of it is checked against the header, before any pixel is decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PictureLimits {
    /// The longest side in pixels.
    pub side: u32,
    /// Width times height, in millions.
    pub megapixels: u32,
    /// What the decoder may allocate, the pixels included.
    pub bytes: u64,
}

impl PictureLimits {
    const fn too_large(self) -> ImageRefused {
        ImageRefused::TooLarge { megapixels: self.megapixels }
    }

    fn of_decoder(self) -> Limits {
        let mut limits = Limits::default();
        limits.max_image_width = Some(self.side);
        limits.max_image_height = Some(self.side);
        limits.max_alloc = Some(self.bytes);
        limits
    }

    fn allow(self, width: u32, height: u32) -> bool {
        u64::from(width) * u64::from(height) <= u64::from(self.megapixels) * 1_000_000
    }

    /// What an error of the decoder means to the person who sent the picture.
    fn refusal(self, error: &ImageError) -> ImageRefused {
        let is_limit = |kind: LimitErrorKind| {
            matches!(kind, LimitErrorKind::DimensionError | LimitErrorKind::InsufficientMemory)
        };
        match error {
            ImageError::Limits(limit) if is_limit(limit.kind()) => self.too_large(),
            _ => ImageRefused::Damaged,
        }
    }
}

/// The format by its first bytes. Names and declared types do not matter, and nothing else is tried.
fn format_of(bytes: &[u8]) -> Option<ImageFormat> {
    if bytes.starts_with(b"\xff\xd8\xff") {
        Some(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(ImageFormat::Png)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(ImageFormat::WebP)
    } else {
        None
    }
}

fn is_complete(format: ImageFormat, bytes: &[u8]) -> bool {
    match format {
        ImageFormat::Jpeg => is_complete_jpeg(bytes),
        ImageFormat::Png => is_complete_png(bytes),
        _ => is_complete_webp(bytes),
    }
}

/// Pixels without transparency, and how to turn them upright.
pub(crate) struct Decoded {
    /// As stored; transparent parts lie on white.
    pub picture: DynamicImage,
    /// From the metadata, of which nothing else is read.
    pub orientation: Orientation,
}

/// Decodes a picture. Of an animation, the first frame.
pub(crate) fn decode(bytes: &[u8], limits: PictureLimits) -> Result<Decoded, ImageRefused> {
    let format = format_of(bytes).ok_or(ImageRefused::UnknownFormat)?;
    if !is_complete(format, bytes) {
        return Err(ImageRefused::Damaged);
    }
    guarded(|| {
        let refusal = |error: ImageError| limits.refusal(&error);
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        reader.limits(limits.of_decoder());
        let mut decoder = reader.into_decoder().map_err(refusal)?;
        let (width, height) = decoder.dimensions();
        if !limits.allow(width, height) || decoder.total_bytes() > limits.bytes {
            return Err(limits.too_large());
        }
        if width == 0 || height == 0 {
            return Err(ImageRefused::Damaged);
        }
        // Broken metadata is no reason to refuse a photo: it is dropped anyway.
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let picture = DynamicImage::from_decoder(decoder).map_err(refusal)?;
        Ok(Decoded { picture: on_white(picture), orientation })
    })
}

/// Lays transparent parts on white. Before scaling, because invisible colours would bleed into the
/// edges.
fn on_white(picture: DynamicImage) -> DynamicImage {
    if !picture.color().has_alpha() {
        return picture;
    }
    let mut picture: RgbaImage = picture.into_rgba8();
    for pixel in picture.pixels_mut() {
        let [colours @ .., alpha] = &mut pixel.0;
        for colour in colours {
            *colour = blend(*colour, *alpha);
        }
        *alpha = u8::MAX;
    }
    DynamicImage::ImageRgba8(picture)
}

/// A colour that covers white by this much.
fn blend(colour: u8, alpha: u8) -> u8 {
    let (colour, alpha, full) = (u32::from(colour), u32::from(alpha), u32::from(u8::MAX));
    let mixed = (colour * alpha + full * (full - alpha) + full / 2) / full;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        for (start, format) in [
            (b"\xff\xd8\xff\xe0\0\x10JFIF".as_slice(), Some(ImageFormat::Jpeg)),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some(ImageFormat::Png)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(ImageFormat::WebP)),
            (b"RIFF\x10\0\0\0WAVEfmt ", None),
            (b"GIF89a=1;<script>alert(1)</script>", None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
            (b"<!doctype html><img>", None),
            (b"BM\x9a\0\0\0", None),
            (b"\0\0\0\x1cftypheic", None),
            (b"%PDF-1.7", None),
            (b"\xff\xd8", None),
            (b"", None),
        ] {
            assert_eq!(format_of(start), format, "{start:?}");
        }
    }

    #[test]
    fn transparency_shows_white() {
        for (colour, alpha, shown) in
            [(0, 0, 255), (0, 255, 0), (200, 255, 200), (0, 128, 127), (255, 7, 255)]
        {
            assert_eq!(blend(colour, alpha), shown, "{colour} covering {alpha}");
        }
    }
}
