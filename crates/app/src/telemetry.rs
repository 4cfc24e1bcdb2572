//! Devices, their keys, and readings.
//!
//! Devices authenticate with an API key ([`DeviceCaller`]); people and the operator manage them
//! ([`FleetCaller`]).

mod device_auth;
mod devices;
mod history;
mod ingest;
mod key_cache;
mod keys;
mod operator;
mod register;

pub use device_auth::{DeviceCaller, DeviceLimits};
pub use keys::MadeApiKey;
pub use operator::{FleetCaller, Operator};
pub use register::DeviceIntroduction;

pub(crate) use device_auth::DeviceKeys;
pub(crate) use operator::OperatorToken;
#[cfg(test)]
pub(crate) use operator::tests::operator;
