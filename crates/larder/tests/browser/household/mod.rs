//! The household on a phone: who may do what, and something to play with.

mod demo;
mod members;
