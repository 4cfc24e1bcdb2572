//! Who may do what with which resource.

mod asking;
mod guests;
mod managing;
