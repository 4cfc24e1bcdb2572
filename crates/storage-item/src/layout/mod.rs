//! How each entity looks as a record. Golden files pin every key and attribute.

pub(crate) mod fields;
pub(crate) mod household;
pub(crate) mod idempotency;
pub(crate) mod item;
pub(crate) mod keys;
pub(crate) mod member;
pub(crate) mod places;
pub(crate) mod session;
pub(crate) mod unique;
pub(crate) mod user;
