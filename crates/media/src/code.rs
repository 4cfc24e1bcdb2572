//! Codes: what is printed on packages, as values of the domain.

use image::imageops::thumbnail;
use jiff::civil::Date;
use larder_domain::{ElementString, ExpirationDate, Gtin};

use crate::decode::{PictureLimits, decode};
use crate::refusal::{ImageRefused, guarded};
use crate::search::{Found, find_codes};

/// A frame of a camera in good quality. Larger ones only say the same with more pixels.
pub(crate) const FRAME_LIMITS: PictureLimits =
    PictureLimits { side: 4_096, megapixels: 8, bytes: 40 << 20 };

/// The longer side that is searched. A code that fills a third of it has more than four pixels per
/// module.
const SEARCH_SIDE: u32 = 1_280;

/// How a code is printed. The names are those of the browsers' `BarcodeDetector`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeFormat {
    /// Eight digits, on small packages.
    Ean8,
    /// Thirteen digits.
    Ean13,
    /// Twelve digits.
    UpcA,
    /// Fourteen digits, on boxes.
    Itf14,
    /// Any text, or a GS1 element string.
    Code128,
    /// Any text, or a GS1 element string.
    QrCode,
    /// Any text, or a GS1 element string.
    DataMatrix,
}

impl CodeFormat {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Ean8,
        Self::Ean13,
        Self::UpcA,
        Self::Itf14,
        Self::Code128,
        Self::QrCode,
        Self::DataMatrix,
    ];

    /// The word for it in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ean8 => "ean_8",
            Self::Ean13 => "ean_13",
            Self::UpcA => "upc_a",
            Self::Itf14 => "itf",
            Self::Code128 => "code_128",
            Self::QrCode => "qr_code",
            Self::DataMatrix => "data_matrix",
        }
    }
}

/// A code that was read, and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// How it is printed.
    pub format: CodeFormat,
    /// What it says. Separators of an element string are group separators.
    pub text: String,
    /// The number of the product, if it names one.
    pub gtin: Option<Gtin>,
    /// How long the package is good, if it says so.
    pub expiration: Option<ExpirationDate>,
    /// The lot as the producer numbers it, if it says so.
    pub lot: Option<String>,
}

impl Code {
    fn of(found: Found, today: Date) -> Self {
        let Found { format, text, is_gs1 } = found;
        let elements = match format {
            CodeFormat::Ean8 | CodeFormat::Ean13 | CodeFormat::UpcA | CodeFormat::Itf14 => {
                ElementString { gtin: Gtin::parse(&text).ok(), ..ElementString::default() }
            }
            // People print the form in brackets into ordinary codes.
            _ if is_gs1 || text.starts_with('(') => {
                ElementString::parse(&text, today.year()).unwrap_or_default()
            }
            _ => ElementString::default(),
        };
        let expiration = elements.good_until();
        Self { format, text, gtin: elements.gtin, expiration, lot: elements.lot }
    }
}

/// Reads the codes in a JPEG, PNG or WebP of at most 8 megapixels, each once: EAN-8, EAN-13, UPC-A,
/// ITF-14, Code 128, QR and `DataMatrix`. Dates have two-digit years, so their century depends on the
/// day.
pub fn read_codes(bytes: &[u8], today: Date) -> Result<Vec<Code>, ImageRefused> {
    let picture = decode(bytes, FRAME_LIMITS)?.picture;
    let found = guarded(|| {
        let mut picture = picture.into_luma8();
        let (width, height) = picture.dimensions();
        let longer = width.max(height);
        if longer > SEARCH_SIDE {
            let scaled = |side: u32| (side * SEARCH_SIDE / longer).max(1);
            picture = thumbnail(&picture, scaled(width), scaled(height));
        }
        Ok(find_codes(&picture))
    })?;
    Ok(found.into_iter().map(|found| Code::of(found, today)).collect())
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
