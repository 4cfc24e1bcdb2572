//! Results of claimed writes, as they are stored under the idempotency key and read back for a repetition.

use std::fmt;

use larder_domain::{
    Consumed, Entity, FieldSource, Household, Item, NfcUrl, Notification, OpenedItem, Product,
    Resource, ShoppingItem, StorageLocation, Store,
};

use crate::{Result, StorageError};

/// The kind of a claimed write, stored beside its entity. The names are part of the stored format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteKind<'a> {
    /// The name that the result is stored under.
    pub name: &'static str,
    /// How much an adjustment really changed the quantity, in hundredths.
    pub applied_hundredths: Option<i64>,
    /// A second entity of the result.
    pub beside: Option<Beside<'a>>,
    /// The result, if no step of the write leaves it behind.
    pub known: Option<KnownResult<'a>>,
}

/// A second entity of a result. It is stored as `replaced`, because the first of them was a tag that
/// was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside<'a> {
    /// The tag that the new one replaced.
    Replaced(&'a NfcUrl),
    /// The rest of the lot that a new one was taken from.
    Rest(&'a Item),
}

/// A result that is known before the write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownResult<'a> {
    /// The item that is deleted.
    Deleted(&'a Item),
    /// What is taken from the lots of a product.
    Consumed(&'a Consumed),
    /// The product that another one joins.
    Joined(&'a Product),
}

impl<'a> WriteKind<'a> {
    /// A new item.
    pub const ITEM_ADDED: Self = Self::named("ItemAdded");
    /// More of an item.
    pub const ITEM_MERGED: Self = Self::named("ItemMerged");
    /// A product with other details.
    pub const PRODUCT_REPLACED: Self = Self::named("ProductReplaced");
    /// An item with other details.
    pub const ITEM_REPLACED: Self = Self::named("ItemReplaced");
    /// A new household.
    pub const HOUSEHOLD_CREATED: Self = Self::named("HouseholdCreated");
    /// A household with one more member.
    pub const HOUSEHOLD_JOINED: Self = Self::named("HouseholdJoined");
    /// A household with a new invite code.
    pub const INVITE_CODE_REPLACED: Self = Self::named("InviteCodeReplaced");
    /// A new storage location.
    pub const LOCATION_ADDED: Self = Self::named("LocationAdded");
    /// A new shop.
    pub const STORE_ADDED: Self = Self::named("StoreAdded");
    /// A new entry of the shopping list.
    pub const SHOPPING_ITEM_ADDED: Self = Self::named("ShoppingItemAdded");
    /// A new tag.
    pub const TAG_ADDED: Self = Self::named("TagAdded");
    /// An acknowledged notification.
    pub const NOTIFICATION_ACKNOWLEDGED: Self = Self::named("NotificationAcknowledged");
    /// A new resource.
    pub const RESOURCE_CREATED: Self = Self::named("ResourceCreated");

    const fn named(name: &'static str) -> Self {
        Self { name, applied_hundredths: None, beside: None, known: None }
    }

    /// A changed quantity.
    pub const fn item_adjusted(applied_hundredths: i64) -> Self {
        Self { applied_hundredths: Some(applied_hundredths), ..Self::named("ItemAdjusted") }
    }

    /// The same write, with the rest of the lot that the item was taken from.
    #[must_use]
    pub const fn with_rest(self, rest: Option<&'a Item>) -> Self {
        match rest {
            Some(rest) => Self { beside: Some(Beside::Rest(rest)), ..self },
            None => self,
        }
    }

    /// An item that is gone.
    pub const fn item_deleted(item: &'a Item) -> Self {
        Self { known: Some(KnownResult::Deleted(item)), ..Self::named("ItemDeleted") }
    }

    /// Less of a product.
    pub const fn consumed(consumed: &'a Consumed) -> Self {
        Self { known: Some(KnownResult::Consumed(consumed)), ..Self::named("Consumed") }
    }

    /// A product that another one has joined.
    pub const fn product_joined(product: &'a Product) -> Self {
        Self { known: Some(KnownResult::Joined(product)), ..Self::named("ProductJoined") }
    }

    /// A tag that replaced another.
    pub const fn tag_rotated(old: &'a NfcUrl) -> Self {
        Self { beside: Some(Beside::Replaced(old)), ..Self::named("TagRotated") }
    }
}

/// An entity as an engine has stored it.
pub enum StoredEntity {
    /// Field by field.
    Fields(Box<dyn FieldSource + Send + Sync>),
    /// A resource. Its attributes are stored as they are.
    Resource(Box<Resource>),
}

/// Does not print its content: a tag's URL is a secret.
impl fmt::Debug for StoredEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoredEntity")
    }
}

/// The result of a claimed write, exactly as it was at that time.
#[derive(Debug)]
pub struct StoredResult {
    /// The kind of write: [`WriteKind::name`].
    pub kind: String,
    /// The entity after the write.
    pub entity: StoredEntity,
    /// [`WriteKind::applied_hundredths`].
    pub applied_hundredths: Option<i64>,
    /// [`WriteKind::beside`].
    pub beside: Option<StoredEntity>,
}

/// An idempotency key that was used.
#[derive(Debug)]
pub struct UsedKey {
    /// The digest of the request that used it.
    pub request_hash: String,
    /// The result of that request.
    pub result: StoredResult,
}

/// The result of a write that can be answered again.
pub trait Replay: Sized {
    /// Reads the result of the first request.
    fn replay(stored: &StoredResult) -> Result<Self>;
}

/// An item that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedItem {
    /// The item now.
    pub item: Item,
    /// Whether it was merged into an existing item.
    pub merged: bool,
}

/// An item with an adjusted quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdjustedItem {
    /// The item now.
    pub item: Item,
    /// The applied delta, in hundredths.
    pub applied_hundredths: i64,
}

/// A tag and the one that it replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotatedTag {
    /// The one that was replaced.
    pub old: NfcUrl,
    /// The one in its place.
    pub new: NfcUrl,
}

impl Replay for AddedItem {
    fn replay(stored: &StoredResult) -> Result<Self> {
        let merged = stored.kind == WriteKind::ITEM_MERGED.name;
        Ok(Self { item: read(&stored.entity)?, merged })
    }
}

impl Replay for AdjustedItem {
    fn replay(stored: &StoredResult) -> Result<Self> {
        let applied = stored.applied_hundredths;
        let applied_hundredths = applied.ok_or_else(|| corrupt("applied is missing"))?;
        Ok(Self { item: read(&stored.entity)?, applied_hundredths })
    }
}

impl Replay for RotatedTag {
    fn replay(stored: &StoredResult) -> Result<Self> {
        let replaced = stored.beside.as_ref();
        let old = read(replaced.ok_or_else(|| corrupt("the replaced tag is missing"))?)?;
        Ok(Self { old, new: read(&stored.entity)? })
    }
}

impl Replay for OpenedItem {
    fn replay(stored: &StoredResult) -> Result<Self> {
        let rest = stored.beside.as_ref().map(read).transpose()?;
        Ok(Self { opened: read(&stored.entity)?, rest })
    }
}

impl Replay for Resource {
    fn replay(stored: &StoredResult) -> Result<Self> {
        match &stored.entity {
            StoredEntity::Resource(resource) => Ok(*resource.clone()),
            StoredEntity::Fields(_) => Err(corrupt("is no resource")),
        }
    }
}

macro_rules! replay_entities {
    ($($type:ty),+) => {$(
        impl Replay for $type {
            fn replay(stored: &StoredResult) -> Result<Self> {
                read(&stored.entity)
            }
        }
    )+};
}

replay_entities!(
    Consumed,
    Household,
    Item,
    NfcUrl,
    Notification,
    Product,
    ShoppingItem,
    StorageLocation,
    Store
);

fn read<T: Entity>(entity: &StoredEntity) -> Result<T> {
    match entity {
        StoredEntity::Fields(fields) => {
            T::read(&**fields).map_err(|error| corrupt(&error.to_string()))
        }
        StoredEntity::Resource(_) => Err(corrupt("is a resource")),
    }
}

fn corrupt(reason: &str) -> StorageError {
    let record = "the result of an idempotency key".to_owned();
    StorageError::Corrupt { record, reason: reason.to_owned() }
}
