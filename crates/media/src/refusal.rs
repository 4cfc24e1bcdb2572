//! Why a picture is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use thiserror::Error;

/// Why bytes are not taken as a picture, in words for the person who sent them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ImageRefused {
    /// By its content it is something else: another picture format, a document, a page.
    #[error("is not a JPEG, PNG or WebP picture")]
    UnknownFormat,
    /// It has more pixels, or needs more memory, than a picture of this kind may.
    #[error("is too large; at most {megapixels} megapixels are taken")]
    TooLarge {
        /// How many million pixels it may have.
        megapixels: u32,
    },
    /// It begins like a picture and cannot be decoded.
    #[error("is damaged or incomplete")]
    Damaged,
}

/// Runs somebody else's decoder on untrusted bytes. If it panics, the picture counts as damaged: a
/// mistake in a decoder must not end more than this request.
pub(crate) fn guarded<T>(
    decode: impl FnOnce() -> Result<T, ImageRefused>,
) -> Result<T, ImageRefused> {
    // Nothing that the closure could leave half done is used after a panic.
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or(Err(ImageRefused::Damaged))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_decoder_is_a_refusal() {
        let refused = guarded(|| -> Result<(), _> { panic!("a mistake in a decoder") });
        assert_eq!(refused, Err(ImageRefused::Damaged));
        assert_eq!(guarded(|| Ok(7)), Ok(7));
    }

    #[test]
    fn refusals_say_what_to_do() {
        let said = ImageRefused::TooLarge { megapixels: 25 }.to_string();
        assert_eq!(said, "is too large; at most 25 megapixels are taken");
    }
}
