//! What becomes of photos.

use std::time::Instant;

use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;
use crate::samples::{encoded, jpeg, noise, png, webp};

fn decoded(bytes: &[u8]) -> DynamicImage {
    assert_eq!(image::guess_format(bytes).unwrap(), ImageFormat::Jpeg);
    image::load_from_memory(bytes).unwrap()
}

/// The colour in the middle of a quarter of the picture.
fn colour(picture: &DynamicImage, right: bool, below: bool) -> &'static str {
    let (width, height) = picture.dimensions();
    let middle = |length: u32, second: bool| length * (if second { 3 } else { 1 }) / 4;
    match picture.get_pixel(middle(width, right), middle(height, below)).0 {
        [200..=255, 0..=60, 0..=60, _] => "red",
        [0..=60, 200..=255, 0..=60, _] => "green",
        [0..=60, 0..=60, 200..=255, _] => "blue",
        [200..=255, 200..=255, 200..=255, _] => "white",
        [0..=60, 0..=60, 0..=60, _] => "black",
        other => panic!("{other:?}"),
    }
}

/// Red, green, blue and white quarters.
fn quarters(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb([255, 0, 0]),
        (false, true) => Rgb([0, 255, 0]),
        (true, false) => Rgb([0, 0, 255]),
        (false, false) => Rgb([255, 255, 255]),
    })
}

/// A JPEG with an EXIF block that has an orientation and a place.
fn with_exif(picture: &RgbImage, orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    tiff.extend([orientation, 0, 0, 0, 0, 0, 0]);
    tiff.extend(b"GPS 35.6586 N 139.7454 E");
    let length = u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes();
    let mut bytes = jpeg(picture);
    let segment = [&[0xff, 0xe1], length.as_slice(), b"Exif\0\0", &tiff].concat();
    bytes.splice(2..2, segment);
    bytes
}

#[test]
fn a_photo_is_turned_upright() {
    let picture = quarters(64, 32);
    for (orientation, size, corners) in [
        (1, (64, 32), ["red", "green", "blue", "white"]),
        (2, (64, 32), ["green", "red", "white", "blue"]),
        (3, (64, 32), ["white", "blue", "green", "red"]),
        (4, (64, 32), ["blue", "white", "red", "green"]),
        (5, (32, 64), ["red", "blue", "green", "white"]),
        (6, (32, 64), ["blue", "red", "white", "green"]),
        (7, (32, 64), ["white", "green", "blue", "red"]),
        (8, (32, 64), ["green", "white", "red", "blue"]),
        // Not an orientation.
        (9, (64, 32), ["red", "green", "blue", "white"]),
    ] {
        let photo = prepare_photo(&with_exif(&picture, orientation)).unwrap();
        for bytes in [&photo.full, &photo.thumbnail] {
            let upright = decoded(bytes);
            assert_eq!(upright.dimensions(), size, "{orientation}");
            let found = [(false, false), (true, false), (false, true), (true, true)]
                .map(|(right, below)| colour(&upright, right, below));
            assert_eq!(found, corners, "{orientation}");
        }
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn nothing_but_pixels_is_kept() {
    let mut bytes = with_exif(&quarters(600, 300), 6);
    // A comment, and what a phone or somebody else appends.
    bytes.splice(2..2, *b"\xff\xfe\0\x1b<script>alert(1)</script");
    bytes.extend(b"<html><script>alert(2)</script></html>");
    assert!(contains(&bytes, "Exif") && contains(&bytes, "GPS 35.6586"));
    let photo = prepare_photo(&bytes).unwrap();
    for bytes in [&photo.full, &photo.thumbnail] {
        for text in ["Exif", "GPS", "35.6586", "script", "html"] {
            assert!(!contains(bytes, text), "{text}");
        }
        assert_eq!(bytes[bytes.len() - 2..], [0xff, 0xd9]);
    }
}

#[test]
fn photos_of_every_format_fit() {
    let picture = quarters(1200, 800);
    for bytes in [jpeg(&picture), png(&picture), webp(&picture)] {
        let photo = prepare_photo(&bytes).unwrap();
        let (full, thumbnail) = (decoded(&photo.full), decoded(&photo.thumbnail));
        assert_eq!((full.dimensions(), thumbnail.dimensions()), ((512, 341), (96, 64)));
        assert_eq!(
            (colour(&full, false, false), colour(&thumbnail, true, false)),
            ("red", "green")
        );
    }
}

#[test]
fn small_photos_are_not_enlarged() {
    let photo = prepare_photo(&png(&quarters(100, 40))).unwrap();
    assert_eq!(decoded(&photo.full).dimensions(), (100, 40));
    assert_eq!(decoded(&photo.thumbnail).dimensions(), (96, 38));
    let dot = prepare_photo(&png(&quarters(1, 1))).unwrap();
    assert_eq!(decoded(&dot.full).dimensions(), (1, 1));
    let line = prepare_photo(&png(&noise(3000, 1, 1))).unwrap();
    assert_eq!(decoded(&line.full).dimensions(), (512, 1));
}

#[test]
fn noise_fits_too() {
    for (width, height) in [(512, 512), (2000, 512), (96, 96)] {
        let began = Instant::now();
        let photo = prepare_photo(&png(&noise(width, height, 7))).unwrap();
        assert!(photo.full.len() <= MAX_PHOTO_BYTES, "{}", photo.full.len());
        assert!(photo.thumbnail.len() <= MAX_THUMBNAIL_BYTES, "{}", photo.thumbnail.len());
        let (full, thumbnail) = (decoded(&photo.full), decoded(&photo.thumbnail));
        let sides = (full.width(), thumbnail.width());
        println!("{width} × {height}: {sides:?} after {:?}", began.elapsed());
        // Shrunk no further than necessary.
        assert!(sides.0 >= 96 && sides.1 >= 48, "{sides:?}");
    }
}

#[test]
fn transparent_parts_are_white() {
    let picture = RgbaImage::from_fn(200, 200, |x, _| {
        if x < 100 { Rgba([0, 0, 0, 0]) } else { Rgba([0, 0, 0, 255]) }
    });
    let picture = DynamicImage::ImageRgba8(picture);
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let photo = prepare_photo(&encoded(&picture, format)).unwrap();
        for bytes in [&photo.full, &photo.thumbnail] {
            let shown = decoded(bytes);
            assert_eq!(
                (colour(&shown, false, false), colour(&shown, true, true)),
                ("white", "black")
            );
        }
    }
}

#[test]
fn unusual_pixels_are_taken() {
    let picture = DynamicImage::ImageRgb8(quarters(80, 80));
    for picture in [
        DynamicImage::ImageLuma8(picture.to_luma8()),
        DynamicImage::ImageLumaA8(picture.to_luma_alpha8()),
        DynamicImage::ImageLuma16(picture.to_luma16()),
        DynamicImage::ImageRgba16(picture.to_rgba16()),
    ] {
        let photo = prepare_photo(&encoded(&picture, ImageFormat::Png)).unwrap();
        let shown = decoded(&photo.full);
        assert_eq!((shown.dimensions(), colour(&shown, true, true)), ((80, 80), "white"));
    }
}
