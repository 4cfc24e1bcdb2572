//! Actions of a tag's holder: no token, only its URL.

mod counting;
mod crowd;
mod forms;
mod limits;
mod pages;
mod probing;
mod refusals;
mod secrecy;
