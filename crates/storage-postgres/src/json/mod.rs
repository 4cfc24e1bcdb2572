//! Rows as JSON: what the triggers keep of a change, and what an idempotency key remembers. The names are
//! those of the columns; numbers keep their decimals and are never floats.

mod fields;
mod household;
mod item;
mod notification;
mod place;
mod resource;
mod shopping;
mod tag;

pub(crate) use fields::decode;
pub(crate) use household::{HouseholdJson, MemberJson};
pub(crate) use item::ItemJson;
pub(crate) use notification::NotificationJson;
pub(crate) use place::{LocationJson, StoreJson};
pub(crate) use resource::ResourceJson;
pub(crate) use shopping::ShoppingJson;
pub(crate) use tag::TagJson;
