//! The household on a phone: roles, and demo data.

mod demo;
mod members;
