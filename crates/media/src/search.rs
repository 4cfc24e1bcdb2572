//! The search for codes among pixels: the only place that knows the decoder.

use std::collections::HashSet;

use image::GrayImage;
use rxing::common::HybridBinarizer;
use rxing::datamatrix::DataMatrixReader;
use rxing::multi::{GenericMultipleBarcodeReader, MultipleBarcodeReader};
use rxing::oned::MultiFormatOneDReader;
use rxing::qrcode::cpp_port::QrReader;
use rxing::qrcode::cpp_port::detector::FindFinderPatterns;
use rxing::{
    BarcodeFormat, Binarizer, BinaryBitmap, DecodeHints, Exceptions, Luma8Source, RXingResult,
    RXingResultMetadataType, RXingResultMetadataValue, Reader,
};

use crate::code::CodeFormat;

/// After a code with bars was found, the parts of the picture around it are searched, and so on. This
/// many searches are enough for a dozen codes, and a picture full of codes ends there.
const MAX_SEARCHES: usize = 150;

/// A QR code has three finder patterns, and their combinations are tried. A picture with more than
/// this is a pattern, not a photo of codes.
const MAX_FINDER_PATTERNS: usize = 48;

/// Smaller modules are not readable in what a camera delivers.
const MIN_MODULE_PIXELS: u32 = 2;

/// A code as the decoder found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub format: CodeFormat,
    /// What it says, without a symbology identifier.
    pub text: String,
    /// Whether the symbol declares itself to contain a GS1 element string.
    pub is_gs1: bool,
}

/// Bounds the work of the search for several codes.
struct Bounded<R> {
    reader: R,
    searches_left: usize,
}

impl<R: Reader> Reader for Bounded<R> {
    fn decode<B: Binarizer>(
        &mut self,
        picture: &mut BinaryBitmap<B>,
    ) -> Result<RXingResult, Exceptions> {
        self.decode_with_hints(picture, &DecodeHints::default())
    }

    fn decode_with_hints<B: Binarizer>(
        &mut self,
        picture: &mut BinaryBitmap<B>,
        hints: &DecodeHints,
    ) -> Result<RXingResult, Exceptions> {
        let left = self.searches_left.checked_sub(1).ok_or(Exceptions::NOT_FOUND)?;
        self.searches_left = left;
        self.reader.decode_with_hints(picture, hints)
    }
}

/// Finds codes in any of the formats, each once.
pub(crate) fn find_codes(picture: &GrayImage) -> Vec<Found> {
    let (width, height) = picture.dimensions();
    let Ok(pixels) = Luma8Source::new_with_slice(picture.as_raw(), width, height) else {
        return Vec::new();
    };
    let mut bitmap = BinaryBitmap::new(HybridBinarizer::new(pixels));
    let mut results = find_bars(&mut bitmap);
    results.extend(find_qr_codes(&mut bitmap));
    let hints = hints_for(&[BarcodeFormat::DATA_MATRIX]);
    results.extend(DataMatrixReader.decode_with_hints(&mut bitmap, &hints));
    let mut codes = Vec::<Found>::new();
    for found in results.iter().filter_map(found) {
        if !codes.contains(&found) {
            codes.push(found);
        }
    }
    codes
}

fn hints_for(formats: &[BarcodeFormat]) -> DecodeHints {
    DecodeHints {
        PossibleFormats: Some(formats.iter().copied().collect::<HashSet<_>>()),
        // All rows, upside down and sideways.
        TryHarder: Some(true),
        // Separators in GS1-128 come through as characters.
        AssumeGs1: Some(true),
        // Of the lengths that ITF can have, only that of a GTIN: a part of one would pass for a whole.
        AllowedLengths: Some(vec![14]),
        MinimumModuleSize: Some(MIN_MODULE_PIXELS),
        ..DecodeHints::default()
    }
}

fn find_bars<B: Binarizer>(bitmap: &mut BinaryBitmap<B>) -> Vec<RXingResult> {
    let hints = hints_for(&[
        BarcodeFormat::EAN_8,
        BarcodeFormat::EAN_13,
        BarcodeFormat::UPC_A,
        BarcodeFormat::ITF,
        BarcodeFormat::CODE_128,
    ]);
    let reader = MultiFormatOneDReader::new(&hints);
    let bounded = Bounded { reader, searches_left: MAX_SEARCHES };
    let mut reader = GenericMultipleBarcodeReader::new(bounded);
    reader.decode_multiple_with_hints(bitmap, &hints).unwrap_or_default()
}

fn find_qr_codes<B: Binarizer>(bitmap: &mut BinaryBitmap<B>) -> Vec<RXingResult> {
    let patterns = FindFinderPatterns(bitmap.get_black_matrix(), true, MIN_MODULE_PIXELS);
    if !(3..=MAX_FINDER_PATTERNS).contains(&patterns.len()) {
        return Vec::new();
    }
    let hints = hints_for(&[BarcodeFormat::QR_CODE]);
    QrReader.decode_multiple_with_hints(bitmap, &hints).unwrap_or_default()
}

fn found(result: &RXingResult) -> Option<Found> {
    let format = match result.getBarcodeFormat() {
        BarcodeFormat::EAN_8 => CodeFormat::Ean8,
        BarcodeFormat::EAN_13 => CodeFormat::Ean13,
        BarcodeFormat::UPC_A => CodeFormat::UpcA,
        BarcodeFormat::ITF => CodeFormat::Itf14,
        BarcodeFormat::CODE_128 => CodeFormat::Code128,
        BarcodeFormat::QR_CODE => CodeFormat::QrCode,
        BarcodeFormat::DATA_MATRIX => CodeFormat::DataMatrix,
        _ => return None,
    };
    let metadata = result.getRXingResultMetadata();
    let identifier = match metadata.get(&RXingResultMetadataType::SYMBOLOGY_IDENTIFIER) {
        Some(RXingResultMetadataValue::SymbologyIdentifier(identifier)) => identifier.as_str(),
        _ => "",
    };
    let text = result.getText();
    let is_gs1 = matches!(identifier, "]C1" | "]d2" | "]Q3");
    let text = if is_gs1 { text.strip_prefix("]C1").unwrap_or(text) } else { text };
    Some(Found { format, text: text.to_owned(), is_gs1 })
}
