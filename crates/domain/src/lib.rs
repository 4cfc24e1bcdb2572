//! What a household is and what may happen in it: ids, value types, aggregates and rules.
//!
//! This crate is pure. It knows no clock, no randomness, no store and no transport: what it needs comes in
//! as a parameter, and every rule can be tested by calling it.

mod account;
mod calendar;
mod event;
mod household;
mod ids;
mod invite;
mod item;
mod list;
mod places;
mod quantity;
mod reference;
pub mod text;
mod unit;

pub use account::{Email, InvalidEmail, Membership, Password, PasswordError, User};
pub use calendar::{
    DateError, ExpirationDate, ExpirationStatus, HouseholdZone, UnknownZone, last_day_of_soon,
};
pub use event::{Change, DomainEvent, Versions};
pub use household::{Household, HouseholdPatch, Member, Role, UnknownRole};
pub use ids::{
    CategoryId, HouseholdId, InvalidId, ItemId, SessionId, StorageLocationId, StoreId, UserId,
};
pub use invite::{InvalidInviteCode, InviteCode};
pub use item::{Item, ItemDetails, ItemPatch, MergeError, MergeKey, Owner, merge_amount};
pub use list::{Expiring, ItemFilter, ItemPosition, ItemSort, SearchTerm, searchable_suffixes};
pub use places::{StorageLocation, Store};
pub use quantity::{Delta, Overflow, Quantity, QuantityError};
pub use reference::{
    CATEGORIES, Category, OTHER_CATEGORY, SEEDED_LOCATIONS, SeededLocation, find_category,
    find_seeded_location,
};
pub use text::{
    DeviceReference, HouseholdName, ImageUrl, ItemName, LocationName, Notes, PersonName,
    StoreAddress, StoreName, TextError,
};
pub use unit::Unit;
