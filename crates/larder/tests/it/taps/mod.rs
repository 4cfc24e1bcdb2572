//! What those do who hold a tag: no token, only its address.

mod counting;
mod crowd;
mod forms;
mod limits;
mod pages;
mod probing;
mod refusals;
mod secrecy;
