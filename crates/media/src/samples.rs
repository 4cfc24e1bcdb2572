//! Pictures and codes for tests, made from a seed.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgb, RgbImage};
use rxing::common::BitMatrix;
use rxing::{BarcodeFormat, MultiFormatWriter, Writer};

/// Numbers that follow from a seed (`SplitMix64`).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// The seed of a random test: the one in the environment, or another every time. It is printed, and
/// shown if the test fails.
pub(crate) fn seed() -> u64 {
    let given = std::env::var("LARDER_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| {
        use std::hash::{BuildHasher, RandomState};
        RandomState::new().hash_one(0) >> 32
    });
    println!("LARDER_TEST_SEED={seed}");
    seed
}

/// A picture of noise, which compresses worst.
pub(crate) fn noise(width: u32, height: u32, seed: u64) -> RgbImage {
    let mut random = Random(seed);
    RgbImage::from_fn(width, height, |_, _| Rgb([random.byte(), random.byte(), random.byte()]))
}

pub(crate) fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn jpeg(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 90).encode_image(picture).unwrap();
    bytes
}

pub(crate) fn png(picture: &RgbImage) -> Vec<u8> {
    encoded(&DynamicImage::ImageRgb8(picture.clone()), ImageFormat::Png)
}

pub(crate) fn webp(picture: &RgbImage) -> Vec<u8> {
    encoded(&DynamicImage::ImageRgb8(picture.clone()), ImageFormat::WebP)
}

/// The modules of a code.
pub(crate) fn modules(format: BarcodeFormat, text: &str) -> BitMatrix {
    MultiFormatWriter.encode(text, &format, 0, 0).unwrap()
}

/// A white sheet on which codes can be drawn.
pub(crate) fn sheet(width: u32, height: u32) -> GrayImage {
    GrayImage::from_pixel(width, height, Luma([255]))
}

/// Draws a code with squares of this size; bars are as high as asked for.
pub(crate) fn draw(
    sheet: &mut GrayImage,
    modules: &BitMatrix,
    at: (u32, u32),
    size: u32,
    bar_height: u32,
) {
    let is_bars = modules.height() == 1;
    let height = if is_bars { bar_height } else { modules.height() * size };
    for (x, y) in (0..height).flat_map(|y| (0..modules.width() * size).map(move |x| (x, y))) {
        let row = if is_bars { 0 } else { y / size };
        if modules.get(x / size, row) {
            sheet.put_pixel(at.0 + x, at.1 + y, Luma([20]));
        }
    }
}

/// The sheet as a camera would send it.
pub(crate) fn frame(sheet: &GrayImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 80).encode_image(sheet).unwrap();
    bytes
}
