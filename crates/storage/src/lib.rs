//! The ports: the interface of a store, in the language of the domain.
//!
//! One method per access pattern, each with its consistency in its doc. A write is one declarative
//! change set, applied completely or not at all; a refusal is an outcome, not an error. There is no
//! interactive transaction, because DynamoDB has none. The guarantees of every engine are numbered
//! in `docs/engine-criteria.md`.

mod accounts;
mod api_keys;
mod cache;
mod clock;
mod devices;
mod erasures;
mod error;
mod grants;
mod households;
mod inventory;
mod notifications;
mod operations;
mod page;
mod photos;
mod places;
mod products;
mod program_tokens;
mod readings;
mod replay;
mod resources;
mod scope;
mod shopping;
mod tags;
mod upkeep;
mod write;

pub use accounts::{
    Accounts, Admission, CreateUser, Credentials, ExternalIdentity, LinkIdentity, NewUser,
    NextToken, Rotation, Session,
};
pub use api_keys::{ApiKeys, NewApiKey};
pub use cache::{AtVersion, Cache, Lookup, ReadAt, Stamp, Ticket};
pub use clock::{Clock, ManualClock, ManualMonotonic, MonotonicClock};
pub use devices::{Devices, RegisterDevice, Registration};
pub use erasures::{EraseAccount, Erasures};
pub use error::{Result, StorageError};
pub use grants::{AccessRequest, Grants, PutGrant};
pub use households::{
    ChangeMember, CreateHousehold, Households, JoinHousehold, MoveItem, MoveReport, RemoveMember,
    ReplaceInviteCode,
};
pub use inventory::{
    AddItem, AdjustItem, DeleteItem, Inventory, ItemChange, ReplaceItem, SplitItem,
};
pub use notifications::{
    Acknowledge, Attempt, Audience, DEAD_LETTER_LIFETIME, Delivery, Notifications,
    SettleNotifications,
};
pub use operations::{Changes, Operations, RecordedChange};
pub use page::Page;
pub use photos::{MAX_PHOTOS, Photo, PhotoSize, Photos, PutPhoto, ResourcePhotos};
pub use places::{Places, SavePlace};
pub use products::{
    Consume, DeleteProduct, MAX_LOTS, ProductChange, Products, ReplaceProduct, StockRow,
    StockedProduct,
};
pub use program_tokens::{CreateProgramToken, ProgramToken, ProgramTokens};
pub use readings::{
    Ingest, MAX_READINGS_PER_REQUEST, NewReading, NewReadings, ReadingRange, ReadingState, Readings,
};
pub use replay::{
    AddedItem, AdjustedItem, Beside, KnownResult, Replay, RotatedTag, StoredEntity, StoredResult,
    UsedKey, WriteKind,
};
pub use resources::{
    AddMember, AttachResource, CreateResource, DeleteResource, Membership, ReplaceResource,
    Resources, TakenKey,
};
pub use scope::{AccountScope, FleetScope, HouseholdScope, Scope, SystemScope};
pub use shopping::{AddShoppingItem, ChangeShoppingItem, PutAway, ShoppingList};
pub use tags::{HeldTag, NewTag, NewTap, RotateTag, TagAccesses, Tags, Tap, TapDone, UpdateTag};
pub use upkeep::{Drift, DueHousehold, TakenLease, Upkeep};
pub use write::{IdempotencyClaim, IdempotencyKey, InvalidIdempotencyKey, Write};

macro_rules! store_of {
    ($($port:ident),*) => {
        /// All ports of a store.
        pub trait Store: $($port +)* 'static {}

        impl<T: $($port +)* 'static> Store for T {}
    };
}

store_of!(
    Accounts,
    ProgramTokens,
    Households,
    Inventory,
    Products,
    Photos,
    ResourcePhotos,
    Places,
    ShoppingList,
    Tags,
    Notifications,
    Devices,
    ApiKeys,
    Readings,
    Resources,
    Grants,
    Erasures,
    Upkeep,
    Operations
);
