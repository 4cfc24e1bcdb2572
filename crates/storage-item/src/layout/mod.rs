//! The record layout of each entity. Golden files pin every key and attribute.

pub(crate) mod api_key;
pub(crate) mod bookmark;
pub(crate) mod deletion;
pub(crate) mod delivery;
pub(crate) mod device;
pub(crate) mod entity;
pub(crate) mod fields;
pub(crate) mod fleet;
pub(crate) mod household;
pub(crate) mod idempotency;
pub(crate) mod item;
pub(crate) mod job;
pub(crate) mod keys;
pub(crate) mod lease;
pub(crate) mod member;
pub(crate) mod notification;
pub(crate) mod places;
pub(crate) mod processed_batch;
pub(crate) mod reading;
pub(crate) mod relational;
pub(crate) mod session;
pub(crate) mod shopping;
pub(crate) mod tag;
pub(crate) mod tap;
pub(crate) mod unique;
pub(crate) mod user;
