//! The stock: adding, changing, adjusting, listing, and its history.

mod adding;
mod adjusting;
mod bulk;
mod changing;
mod history;
mod listing;
mod opening;
mod paging;
mod undoing;
