//! Codes as they are printed on packages, drawn by rule and not by the decoder under test.

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};

/// A picture in shades of grey, row by row.
pub(crate) struct GreyPicture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

/// The widths of the modules of each digit, in the left half with odd parity (set A).
const SET_A: [&str; 10] = [
    "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011",
    "0110111", "0001011",
];

/// Which of the six digits on the left have even parity (set B): that is the first digit.
const FIRST_DIGIT: [&str; 10] = [
    "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA",
    "ABBABA",
];

/// The modules of an EAN-13 with its check digit; true is black.
pub(crate) fn ean_13(code: &str) -> Vec<bool> {
    let digits: Vec<usize> = code.bytes().map(|digit| usize::from(digit - b'0')).collect();
    assert_eq!(digits.len(), 13, "{code}");
    let inverted = |modules: &str| -> String {
        modules.chars().map(|module| if module == '0' { '1' } else { '0' }).collect()
    };
    let mut modules = String::from("101");
    for (digit, set) in digits[1..7].iter().zip(FIRST_DIGIT[digits[0]].chars()) {
        let odd = SET_A[*digit];
        // Set B is the mirror image of set C, which is set A inverted.
        match set {
            'A' => modules.push_str(odd),
            _ => modules.extend(inverted(odd).chars().rev()),
        }
    }
    modules.push_str("01010");
    for digit in &digits[7..] {
        modules.push_str(&inverted(SET_A[*digit]));
    }
    modules.push_str("101");
    modules.chars().map(|module| module == '1').collect()
}

impl GreyPicture {
    /// A sheet of paper with this EAN-13 in the middle.
    pub(crate) fn of_ean_13(code: &str, width: usize, height: usize) -> Self {
        let modules = ean_13(code);
        let size = width * 7 / 10 / modules.len();
        assert!(size > 0, "{width} pixels are too few");
        let (left, top) = ((width - modules.len() * size) / 2, height / 4);
        let shade = |at: usize| {
            let (x, y) = (at % width, at / width);
            let module = x.checked_sub(left).and_then(|x| modules.get(x / size));
            let is_black = module.is_some_and(|is_black| *is_black) && (top..3 * top).contains(&y);
            if is_black { 16 } else { 235 }
        };
        Self { width, height, pixels: (0..width * height).map(shade).collect() }
    }

    /// The picture as a PNG.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut rows = ZlibEncoder::new(Vec::new(), Compression::fast());
        for row in self.pixels.chunks(self.width) {
            // No filter.
            rows.write_all(&[0]).unwrap();
            rows.write_all(row).unwrap();
        }
        let side = |length: usize| u32::try_from(length).unwrap().to_be_bytes();
        let header = [&side(self.width)[..], &side(self.height), &[8, 0, 0, 0, 0]].concat();
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in
            [(b"IHDR", header), (b"IDAT", rows.finish().unwrap()), (b"IEND", Vec::new())]
        {
            let content = [kind.as_slice(), &data].concat();
            png.extend(side(data.len()));
            png.extend(&content);
            png.extend(checksum(&content).to_be_bytes());
        }
        png
    }
}

/// The CRC-32 of PNG chunks.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
