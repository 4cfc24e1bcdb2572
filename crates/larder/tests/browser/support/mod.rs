//! Browsers that open the pages of a server, and use them like people.
//!
//! A [`Browser`] is closed when it is dropped. If its page complained on its console, which a style or
//! script does that the page's own policy forbids, its test fails then. If the test has failed already,
//! a picture and the source of the page are left in `target/browser-failures`.

mod axe;
mod browser;
mod closing;
mod console;
mod elements;
mod middleman;
mod network;
mod options;
mod printing;
mod seat;
mod shelf;
mod sign_in;
mod waiting;
mod webdriver;

pub(crate) use axe::Finding;
pub(crate) use browser::Browser;
pub(crate) use elements::Key;
pub(crate) use middleman::{Middleman, Seen};
pub(crate) use options::{Options, PLAIN_HOST};
pub(crate) use shelf::Shelf;
