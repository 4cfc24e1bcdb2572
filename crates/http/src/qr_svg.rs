//! A QR code as a picture.

use std::fmt::Write;

use fast_qr::{ECL, QRBuilder};
use thiserror::Error;

/// Light modules that readers need around the code (ISO/IEC 18004, 9.1).
const QUIET_ZONE: usize = 4;

/// The text exceeds the capacity of a QR code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the text is longer than a QR code can hold")]
pub struct TextTooLong;

/// The text as a QR code in SVG: one unit per module, black on white on any background.
pub fn qr_svg(text: &str) -> Result<String, TextTooLong> {
    // M repairs 15 %: enough for a label in a kitchen, with larger modules than Q.
    let code = QRBuilder::new(text).ecl(ECL::M).build().map_err(|_| TextTooLong)?;
    let width = code.size + 2 * QUIET_ZONE;
    let mut dark = String::new();
    for row in 0..code.size {
        let mut column = 0;
        for run in code[row].chunk_by(|left, right| left.value() == right.value()) {
            if run[0].value() {
                let (x, y, length) = (column + QUIET_ZONE, row + QUIET_ZONE, run.len());
                write!(dark, "M{x} {y}h{length}v1h-{length}z").expect("text takes any text");
            }
            column += run.len();
        }
    }
    Ok(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{width}v{width}H0z"/><path d="{dark}"/></svg>"##
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finder_pattern_is_where_readers_look_for_it() {
        let svg = qr_svg("https://larder.example/t/0123456789ABCDEFabcdef").unwrap();
        assert!(svg.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 41 41""#));
        assert!(svg.contains(r#"<path d="M4 4h7v1h-7z"#), "{svg}");
        assert!(svg.contains("M4 36h7v1h-7z"), "{svg}");
    }

    #[test]
    fn a_text_beyond_every_code_is_refused() {
        assert_eq!(qr_svg(&"x".repeat(3000)), Err(TextTooLong));
    }
}
