//! A thousand pictures that nobody should send.

use image::{DynamicImage, ImageFormat};
use jiff::civil::date;
use rxing::BarcodeFormat;

use crate::code::FRAME_LIMITS;
use crate::photo::PHOTO_LIMITS;
use crate::samples::{Random, draw, encoded, frame, jpeg, modules, noise, png, seed, sheet, webp};
use crate::{ImageRefused, MAX_PHOTO_BYTES, MAX_THUMBNAIL_BYTES, prepare_photo, read_codes};

/// Both functions, on the same bytes. They must end, and either refuse or keep what they promise.
fn try_both(bytes: &[u8]) -> (bool, bool) {
    let photo = prepare_photo(bytes);
    if let Ok(photo) = &photo {
        assert!(
            photo.full.len() <= MAX_PHOTO_BYTES && photo.thumbnail.len() <= MAX_THUMBNAIL_BYTES
        );
    }
    let codes = read_codes(bytes, date(2026, 11, 18));
    (photo.is_ok(), codes.is_ok())
}

/// Valid pictures, small enough for a thousand of them.
fn valid_pictures(seed: u64) -> Vec<Vec<u8>> {
    let mut codes = sheet(420, 260);
    draw(&mut codes, &modules(BarcodeFormat::EAN_13, "4006381333931"), (10, 10), 2, 80);
    draw(&mut codes, &modules(BarcodeFormat::QR_CODE, "shelf"), (260, 10), 4, 0);
    draw(&mut codes, &modules(BarcodeFormat::DATA_MATRIX, "shelf"), (10, 120), 5, 0);
    draw(&mut codes, &modules(BarcodeFormat::CODE_128, "Box 7"), (150, 160), 2, 60);
    let noise = noise(60, 50, seed);
    vec![
        frame(&codes),
        encoded(&DynamicImage::ImageLuma8(codes.clone()), ImageFormat::Png),
        encoded(&DynamicImage::ImageLuma8(codes), ImageFormat::WebP),
        jpeg(&noise),
        png(&noise),
        webp(&noise),
    ]
}

/// Damages a picture in one of the ways that files are damaged.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.byte(),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let length = random.below(40).min(bytes.len() - at);
                bytes.drain(at..at + length);
            }
            4 => {
                let inserted: Vec<u8> = (0..random.below(40)).map(|_| random.byte()).collect();
                bytes.splice(at..at, inserted);
            }
            // Headers are near the beginning.
            _ => {
                let at = random.below(bytes.len().min(60));
                bytes[at] = [0x00, 0x7f, 0x80, 0xff][random.below(4)];
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

#[test]
fn a_thousand_hostile_pictures_are_taken_or_refused() {
    let seed = seed();
    let mut random = Random(seed);
    let valid = valid_pictures(seed);
    for bytes in &valid {
        assert_eq!(try_both(bytes), (true, true));
    }
    let mut refused = 0;
    for _ in 0..700 {
        let mut bytes = valid[random.below(valid.len())].clone();
        damage(&mut bytes, &mut random);
        refused += u32::from(!try_both(&bytes).0);
    }
    for _ in 0..300 {
        let starts: [&[u8]; 4] =
            [b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"RIFF\x40\0\0\0WEBPVP8L"];
        let mut bytes = starts[random.below(4)].to_vec();
        bytes.extend((0..random.below(600)).map(|_| random.byte()));
        let taken = try_both(&bytes);
        assert_eq!(taken, (false, false), "{bytes:?}");
        refused += 1;
    }
    println!("{refused} of 1,000 were refused");
    assert!(refused >= 500, "{refused}");
}

/// A PNG that claims these dimensions, with checksums that are right.
fn png_claiming(width: u32, height: u32) -> Vec<u8> {
    fn crc(bytes: &[u8]) -> u32 {
        let shift = |crc: u32, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        let step = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), shift);
        !bytes.iter().fold(u32::MAX, step)
    }
    let mut bytes = png(&noise(8, 8, 1));
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&checksum);
    bytes
}

/// A JPEG that claims these dimensions.
fn jpeg_claiming(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = jpeg(&noise(8, 8, 1));
    let frame = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    bytes
}

#[test]
fn a_picture_of_billions_of_pixels_is_refused_by_its_header() {
    let photo = ImageRefused::TooLarge { megapixels: 25 };
    let frame = ImageRefused::TooLarge { megapixels: 8 };
    for bytes in [
        png_claiming(50_000, 50_000),
        png_claiming(u32::MAX >> 1, u32::MAX >> 1),
        png_claiming(16_384, 16_384),
        png_claiming(1, 20_000),
        png_claiming(5_001, 5_000),
        jpeg_claiming(65_500, 65_500),
        jpeg_claiming(16_000, 16_000),
    ] {
        assert_eq!(prepare_photo(&bytes).err(), Some(photo));
        assert_eq!(read_codes(&bytes, date(2026, 11, 18)), Err(frame));
    }
    // The same file with the dimensions it has.
    assert!(prepare_photo(&png_claiming(8, 8)).is_ok());
    // Within the limits, and a lie.
    assert_eq!(prepare_photo(&png_claiming(900, 900)).err(), Some(ImageRefused::Damaged));
}

/// What the limits allow must fit the smallest machine that runs Larder.
#[test]
fn memory_is_bounded_by_the_limits() {
    for limits in [PHOTO_LIMITS, FRAME_LIMITS] {
        assert!(limits.bytes <= 128 << 20);
        assert!(u64::from(limits.megapixels) * 4_000_000 <= limits.bytes);
    }
    // Sixteen bits per channel need twice the memory, and are refused for that.
    let deep = {
        let mut bytes = png_claiming(4_900, 4_900);
        assert_eq!(bytes[24..26], [8, 2]);
        bytes[24..26].copy_from_slice(&[16, 6]);
        bytes
    };
    assert!(matches!(
        prepare_photo(&deep).err(),
        Some(ImageRefused::TooLarge { .. } | ImageRefused::Damaged)
    ));
}

#[test]
fn other_formats_are_refused_by_name() {
    let picture = jpeg(&noise(20, 20, 1));
    let inside = |start: &[u8]| [start, &picture].concat();
    for bytes in [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".to_vec(),
        b"<?xml version='1.0'?><svg/>".to_vec(),
        b"<!doctype html><title>photo.jpg</title>".to_vec(),
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0".to_vec(),
        // A page or a GIF with a picture inside, which lenient readers would find.
        inside(b"GIF89a/*"),
        inside(b"<html><!--"),
        inside(b"\n"),
        inside(b"%PDF-1.4\n"),
        b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0".to_vec(),
        b"\0\0\0\x20ftypavif".to_vec(),
        b"RIFF\x24\0\0\0WAVEfmt ".to_vec(),
        b"PK\x03\x04photo.jpg".to_vec(),
        Vec::new(),
    ] {
        assert_eq!(prepare_photo(&bytes).err(), Some(ImageRefused::UnknownFormat));
        assert_eq!(read_codes(&bytes, date(2026, 11, 18)), Err(ImageRefused::UnknownFormat));
    }
}

#[test]
fn a_truncated_picture_is_damaged_wherever_it_ends() {
    for bytes in valid_pictures(5) {
        let lengths = (16..bytes.len()).step_by(bytes.len() / 40 + 1).chain([bytes.len() - 1]);
        for length in lengths {
            let refused = prepare_photo(&bytes[..length]).err();
            assert_eq!(refused, Some(ImageRefused::Damaged), "{length} of {}", bytes.len());
        }
    }
}
