//! What can stand in the way of a use case, in no transport's language.

use larder_domain::{Item, Notification, Resource, SelfLink, ShoppingItem};
use larder_storage::{StorageError, TakenKey};
use thiserror::Error;

/// Why a use case did not happen. Nothing was changed, unless [`AppError::Storage`] says that the engine
/// cannot tell. The texts may be shown to people, except those of `Storage` and `Defect`.
#[derive(Debug, Error)]
pub enum AppError {
    /// No token, or none that holds: forged, expired, ended, or of someone who is not there.
    #[error("a valid token is required")]
    Unauthenticated,
    /// The operator looks after devices and their keys alone.
    #[error("the operator's token is for devices and API keys alone")]
    OperatorNotAllowed,
    /// No API key, or none that works: of another form, unknown, or revoked.
    #[error("a valid API key is required")]
    InvalidApiKey,
    /// No account has this address and password.
    #[error("email or password is wrong")]
    InvalidCredentials,
    /// The caller has no such session.
    #[error("there is no such session")]
    SessionNotFound,
    /// Accounts are made by invitation, or not at all.
    #[error("a new account needs the invite code of a household")]
    RegistrationClosed,
    /// The mail server does not take mail now, or there is none.
    #[error("no mail can be sent at the moment")]
    MailUnavailable,
    /// Another account has this address.
    #[error("an account with this email exists")]
    EmailTaken,
    /// Another account has the address that an outside identity came with.
    #[error("another account has the email of this identity")]
    IdentityConflict,
    /// An outside identity came for the first time and without an address that an account can have.
    #[error("the identity has no usable email")]
    IdentityWithoutEmail,
    /// Only admins may do this.
    #[error("only an admin of the household may do this")]
    AdminRequired,
    /// It can only be done in a household.
    #[error("this needs a household: create or join one")]
    HouseholdRequired,
    /// The caller belongs to no household.
    #[error("you belong to no household")]
    NoHousehold,
    /// The caller belongs to a household already.
    #[error("you belong to a household already")]
    AlreadyInHousehold,
    /// The invite code opens nothing, or not any more.
    #[error("no household has this invite code")]
    InviteNotFound,
    /// A household keeps at least one admin.
    #[error("the household's only admin cannot go or step down")]
    LastAdmin,
    /// There is no such member.
    #[error("there is no such member")]
    MemberNotFound,
    /// There is no such item.
    #[error("there is no such item")]
    ItemNotFound,
    /// The item has changed since; this is what it is now.
    #[error("the item has changed since it was read")]
    VersionConflict(Box<Item>),
    /// This other item has the same name and date.
    #[error("another item has the same name and expiration date")]
    DuplicateItem(Box<Item>),
    /// This item is the same thing in a unit that does not convert.
    #[error("the same item exists in a unit that does not convert")]
    UnitMismatch(Box<Item>),
    /// There would be more than an item can hold. The item that is in the way, if there is one.
    #[error("the quantity would exceed 99999999.99")]
    QuantityOverflow(Option<Box<Item>>),
    /// The category that was named does not exist.
    #[error("must be an existing category")]
    UnknownCategory,
    /// The storage location that was named for an item does not exist.
    #[error("must be an existing storage location")]
    UnknownLocation,
    /// The shop that was named for an item does not exist.
    #[error("must be an existing store")]
    UnknownStore,
    /// The item that something to buy was to restock does not exist.
    #[error("must be an item of the household's inventory")]
    UnknownItem,
    /// The shop that was named for something to buy does not exist.
    #[error("must be a store of the household")]
    UnknownShop,
    /// The device that was named for a storage location is not registered.
    #[error("must be a device of the household")]
    UnknownDevice,
    /// There is no such device.
    #[error("there is no such device")]
    DeviceNotFound,
    /// The device has sent nothing that is still kept.
    #[error("the device has no readings")]
    NoReadings,
    /// There is no such entry of the shopping list.
    #[error("there is no such shopping item")]
    ShoppingItemNotFound,
    /// The entry has changed since; this is what it is now.
    #[error("the shopping item has changed since it was read")]
    ShoppingVersionConflict(Box<ShoppingItem>),
    /// This entry restocks the same item, and is still to be bought.
    #[error("the same item is on the list already")]
    DuplicateShoppingItem(Box<ShoppingItem>),
    /// Nobody has said how much of this was bought.
    #[error("must say how much was bought")]
    AmountRequired,
    /// There is no such notification.
    #[error("there is no such notification")]
    NotificationNotFound,
    /// The notification ended before anybody said that they saw it; this is what it is now.
    #[error("the notification is resolved")]
    NotificationResolved(Box<Notification>),
    /// The storage location that was asked for does not exist.
    #[error("there is no such storage location")]
    LocationNotFound,
    /// The shop that was asked for does not exist.
    #[error("there is no such store")]
    StoreNotFound,
    /// No tag has this address, or not one of the caller's.
    #[error("there is no such tag")]
    TagNotFound,
    /// The tag was replaced by another.
    #[error("this tag was replaced")]
    TagRotated,
    /// The tag's item was deleted.
    #[error("the item of this tag was deleted")]
    TagItemDeleted,
    /// There is no such API key.
    #[error("there is no such API key")]
    ApiKeyNotFound,
    /// The device that wants to register belongs to somebody else.
    #[error("the device is not one of this API key's household")]
    DeviceNotAllowed,
    /// The readings at these places are of devices that are not registered for the key's household.
    #[error("a device is not registered with this API key's household")]
    ReadingsNotAllowed(Vec<usize>),
    /// Nothing is granted there.
    #[error("there is no such grant")]
    GrantNotFound,
    /// Only admins grant, and whoever was granted to.
    #[error("only an admin of the household, or whoever was granted to grant, may do this")]
    GrantNotAllowed,
    /// There is no such job, or it ended more than a day ago.
    #[error("there is no such job")]
    JobNotFound,
    /// There is no such resource, or not for the caller.
    #[error("there is no such resource")]
    ResourceNotFound,
    /// The parent that was asked for, or named, does not exist, or not for the caller.
    #[error("there is no such parent")]
    ParentNotFound,
    /// There is no such collection, or not for the caller.
    #[error("there is no such collection")]
    CollectionNotFound,
    /// The resource that was to be in a collection, or not, does not exist, or not for the caller.
    #[error("there is no such resource to be a member")]
    CollectionMemberNotFound,
    /// No resource of the caller's account has this unique value.
    #[error("no resource has this value")]
    UniqueKeyNotFound,
    /// A resource of this name exists.
    #[error("a resource with this URN exists")]
    ResourceExists,
    /// Another resource has this unique value.
    #[error("another resource has this value")]
    UniqueKeyTaken(Box<TakenKey>),
    /// The application keeps this type for itself.
    #[error("resources of this type are made by the application alone")]
    ReservedResourceType,
    /// A resource was to be linked to itself.
    #[error("a resource cannot be linked to itself")]
    SelfLink,
    /// The resource would be above itself.
    #[error("the new parent is below the resource")]
    Cycle,
    /// The resource has changed since; this is what it is now, if the caller may know.
    #[error("the resource has changed since it was read")]
    ResourceVersionConflict(Option<Box<Resource>>),
    /// The resource was written by a newer server, in a shape that this one does not know.
    #[error("the resource has a shape that this server does not know yet")]
    SchemaTooNew,
    /// Another place of the household has this name.
    #[error("another one has this name")]
    NameTaken,
    /// The idempotency key came with another request before.
    #[error("the idempotency key was used for another request")]
    IdempotencyMismatch,
    /// The idempotency key has just been used: look up what that request did.
    #[error("the idempotency key was used before")]
    IdempotencyKeyUsed,
    /// The store failed.
    #[error("storage failed")]
    Storage(#[source] StorageError),
    /// A broken promise inside Larder.
    #[error("defect: {0}")]
    Defect(String),
}

/// What every use case answers with.
pub type Result<T, E = AppError> = std::result::Result<T, E>;

impl From<StorageError> for AppError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::IdempotencyKeyUsed => Self::IdempotencyKeyUsed,
            other => Self::Storage(other),
        }
    }
}

impl From<SelfLink> for AppError {
    fn from(SelfLink: SelfLink) -> Self {
        Self::SelfLink
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_idempotency_key_is_no_failure_of_the_store() {
        let used = AppError::from(StorageError::IdempotencyKeyUsed);
        assert!(matches!(used, AppError::IdempotencyKeyUsed));
        let failed = AppError::from(StorageError::Unavailable("disk".into()));
        assert!(matches!(failed, AppError::Storage(StorageError::Unavailable(_))));
    }
}
