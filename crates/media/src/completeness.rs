//! Whether a file has its end. Decoders fill in what is missing with grey, and a person would notice
//! only later that half of a photo was lost on its way.

/// Whether a JPEG has its end marker. What follows it does not matter: phones append short films.
pub(crate) fn is_complete_jpeg(bytes: &[u8]) -> bool {
    const START: u8 = 0xd8;
    const END: u8 = 0xd9;
    // Markers without a segment: temporary (01) and restarts (d0–d7).
    let stands_alone = |marker: u8| matches!(marker, 0x01 | 0xd0..=0xd7);
    let mut at = 0;
    while let Some(found) = next_marker(bytes, at) {
        let (marker, after) = found;
        at = match marker {
            END => return true,
            START => after,
            _ if stands_alone(marker) => after,
            _ => match bytes.get(after..after + 2) {
                Some(&[high, low]) => after + usize::from(u16::from_be_bytes([high, low])),
                _ => return false,
            },
        };
    }
    false
}

/// The next marker from here and the position after it. Entropy-coded data escapes its `ff` bytes
/// with `00`, and markers may be filled up with further `ff` bytes.
fn next_marker(bytes: &[u8], from: usize) -> Option<(u8, usize)> {
    let mut pairs = bytes.get(from..)?.windows(2).enumerate();
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xff);
    pairs.find(|(_, pair)| is_marker(pair)).map(|(at, pair)| (pair[1], from + at + 2))
}

/// Whether a PNG has its end chunk.
pub(crate) fn is_complete_png(bytes: &[u8]) -> bool {
    const SIGNATURE: usize = 8;
    // Length, type and checksum.
    const AROUND_DATA: usize = 12;
    let mut at = SIGNATURE;
    while let Some(header) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let [a, b, c, d, kind @ ..] = *header;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let Some(next) = at.checked_add(length).and_then(|end| end.checked_add(AROUND_DATA)) else {
            return false;
        };
        if next > bytes.len() {
            return false;
        }
        if &kind == b"IEND" {
            return true;
        }
        at = next;
    }
    false
}

/// Whether a WebP is as long as its header says.
pub(crate) fn is_complete_webp(bytes: &[u8]) -> bool {
    // "RIFF" and the length itself.
    const BEFORE_DATA: usize = 8;
    let length = bytes.get(4..).and_then(|rest| rest.first_chunk::<4>());
    length.is_some_and(|length| {
        let length = u32::from_le_bytes(*length) as usize;
        length.checked_add(BEFORE_DATA).is_some_and(|end| end <= bytes.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{jpeg, noise, png, webp};

    #[test]
    fn every_cut_is_noticed() {
        type Check = fn(&[u8]) -> bool;
        let picture = noise(40, 30, 1);
        let checks: [(Vec<u8>, Check); 3] = [
            (jpeg(&picture), is_complete_jpeg),
            (png(&picture), is_complete_png),
            (webp(&picture), is_complete_webp),
        ];
        for (bytes, is_complete) in checks {
            assert!(is_complete(&bytes));
            for length in 0..bytes.len() {
                assert!(!is_complete(&bytes[..length]), "{length} of {}", bytes.len());
            }
            let appended = [bytes.as_slice(), b"<html>a film</html>"].concat();
            assert!(is_complete(&appended));
        }
    }
}
