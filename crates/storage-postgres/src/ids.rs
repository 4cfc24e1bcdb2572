//! Conversions between domain ids and the driver's UUIDs.

use larder_domain::{
    CategoryId, DeletionId, HouseholdId, ItemId, NotificationId, Owner, ProductId, ProgramTokenId,
    SessionId, ShoppingItemId, StorageLocationId, StoreId, UserId,
};
use uuid::Uuid;

/// Any id of the domain.
pub(crate) trait Id: Copy {
    fn to_bytes(self) -> [u8; 16];
    fn of_bytes(bytes: [u8; 16]) -> Self;
}

macro_rules! ids {
    ($($name:ident),+) => {$(
        impl Id for $name {
            fn to_bytes(self) -> [u8; 16] {
                *self.as_bytes()
            }

            fn of_bytes(bytes: [u8; 16]) -> Self {
                Self::from_bytes(bytes)
            }
        }
    )+};
}

ids!(
    CategoryId,
    DeletionId,
    HouseholdId,
    ItemId,
    NotificationId,
    ProductId,
    ProgramTokenId,
    SessionId,
    ShoppingItemId,
    StorageLocationId,
    StoreId,
    UserId
);

pub(crate) fn uuid<T: Id>(id: T) -> Uuid {
    Uuid::from_bytes(id.to_bytes())
}

pub(crate) fn domain_id<T: Id>(uuid: Uuid) -> T {
    T::of_bytes(uuid.into_bytes())
}

/// The id of an inventory, as words, feed and audit trail name it.
pub(crate) fn inventory_id(owner: Owner) -> Uuid {
    match owner {
        Owner::Household(household) => uuid(household),
        Owner::User(user) => uuid(user),
    }
}
