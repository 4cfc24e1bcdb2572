//! The keys of `InventoryManagement`.

use jiff::Timestamp;
use larder_domain::{
    HouseholdId, InviteCode, ItemId, Owner, SessionId, StorageLocationId, StoreId, UserId,
};
use larder_storage::IdempotencyKey;

use crate::{GSI2, Key, Position, Query, SortKeys, Table, layout::fields::timestamp_text};

/// The prefix of all items of an inventory. The records of their tags share it.
pub(crate) const ITEM_PREFIX: &str = "ITEM#";
/// The prefix of the sessions of a person.
pub(crate) const SESSION_PREFIX: &str = "SESSION#";
/// The prefix of the idempotency keys that a person has used.
pub(crate) const IDEMPOTENCY_PREFIX: &str = "IDEMPOTENCY#";
/// The prefix of all members of a household.
pub(crate) const MEMBER_PREFIX: &str = "MEMBER#";
/// The prefix of all storage locations of a household.
pub(crate) const LOCATION_PREFIX: &str = "LOCATION#";
/// The prefix of all shops of a household.
pub(crate) const STORE_PREFIX: &str = "STORE#";

pub(crate) fn family_pk(household: HouseholdId) -> String {
    format!("FAMILY#{household}")
}

pub(crate) fn user_pk(user: UserId) -> String {
    format!("USER#{user}")
}

pub(crate) fn owner_pk(owner: Owner) -> String {
    match owner {
        Owner::Household(household) => family_pk(household),
        Owner::User(user) => user_pk(user),
    }
}

pub(crate) fn family(household: HouseholdId) -> Key {
    Key::new(family_pk(household), family_pk(household))
}

pub(crate) fn invite_pk(code: &InviteCode) -> String {
    format!("INVITE#{}", code.as_str())
}

pub(crate) fn user(user: UserId) -> Key {
    Key::new(user_pk(user), user_pk(user))
}

pub(crate) fn session(user: UserId, session: SessionId) -> Key {
    Key::new(user_pk(user), format!("{SESSION_PREFIX}{session}"))
}

pub(crate) fn idempotency(user: UserId, key: &IdempotencyKey) -> Key {
    Key::new(user_pk(user), format!("{IDEMPOTENCY_PREFIX}{}", key.as_str()))
}

pub(crate) fn member_sk(user: UserId) -> String {
    format!("{MEMBER_PREFIX}{user}")
}

pub(crate) fn member(household: HouseholdId, user: UserId) -> Key {
    Key::new(family_pk(household), member_sk(user))
}

pub(crate) fn item(owner: Owner, item: ItemId) -> Key {
    Key::new(owner_pk(owner), format!("{ITEM_PREFIX}{item}"))
}

pub(crate) fn items_pk(owner: Owner) -> String {
    format!("{}#ITEMS", owner_pk(owner))
}

pub(crate) fn item_created_sk(created_at: Timestamp, item: ItemId) -> String {
    format!("CREATED#{}#ITEM#{item}", timestamp_text(created_at))
}

/// Where an item stands among all items of an inventory, by creation.
pub(crate) fn item_position(owner: Owner, created_at: Timestamp, item: ItemId) -> Position {
    Position { sort: item_created_sk(created_at, item), key: self::item(owner, item) }
}

/// All items of an inventory, newest first.
pub(crate) fn items_newest_first(owner: Owner, limit: usize) -> Query {
    Query {
        table: Table::InventoryManagement,
        index: Some(GSI2),
        pk: items_pk(owner),
        sort: SortKeys::Any,
        forward: false,
        limit,
        start_after: None,
    }
}

pub(crate) fn location(household: HouseholdId, location: StorageLocationId) -> Key {
    Key::new(family_pk(household), format!("{LOCATION_PREFIX}{location}"))
}

pub(crate) fn store(household: HouseholdId, store: StoreId) -> Key {
    Key::new(family_pk(household), format!("{STORE_PREFIX}{store}"))
}
