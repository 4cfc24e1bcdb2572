//! Devices, their keys, and what they measured.
//!
//! Devices come with an API key ([`DeviceCaller`]); people and the operator look after them ([`FleetCaller`]).

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
