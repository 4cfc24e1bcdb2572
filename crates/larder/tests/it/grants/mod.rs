//! Grants on resources.

mod asking;
mod guests;
mod managing;
