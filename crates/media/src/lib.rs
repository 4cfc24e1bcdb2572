//! Photos and codes in pictures, from bytes that anybody may have sent.
//!
//! This crate is pure: bytes in, bytes or values out. The size of a picture is checked before it is
//! decoded, so that memory and time are bounded whatever a header claims, and a panic of a decoder is
//! a refusal. Both functions take up to some hundred milliseconds of a core.

mod code;
mod completeness;
mod decode;
mod photo;
mod refusal;
mod search;

pub use code::{Code, CodeFormat, read_codes};
pub use photo::{MAX_PHOTO_BYTES, MAX_THUMBNAIL_BYTES, PreparedPhoto, prepare_photo};
pub use refusal::ImageRefused;

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod samples;
