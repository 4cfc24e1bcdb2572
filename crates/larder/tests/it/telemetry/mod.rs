//! Devices, readings, and queries.

mod bad_readings;
mod exactly_once;
mod expiring;
mod garden;
mod keys;
mod limits;
mod listing;
mod naming;
mod operator;
mod packing;
mod ranges;
mod registering;
pub(crate) mod resending;
mod series;
mod watching;
mod way;
