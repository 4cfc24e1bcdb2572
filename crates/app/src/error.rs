//! Errors of use cases, independent of the transport.

use jiff::civil::Date;
use larder_domain::{
    Barcodes, InsufficientToken, Item, Notification, Resource, SelfLink, ShoppingItem, TokenScope,
};
use larder_media::ImageRefused;
use larder_storage::{StockedProduct, StorageError, TakenKey};
use thiserror::Error;

/// Why a use case failed. Nothing was changed, unless [`AppError::Storage`] says that the outcome
/// is unknown. The texts may be shown to people, except those of `Storage` and `Defect`.
#[derive(Debug, Error)]
pub enum AppError {
    /// No token, or an invalid one: forged, expired, ended, or of an account that does not exist.
    #[error("a valid token is required")]
    Unauthenticated,
    /// The operator may only manage devices and their keys.
    #[error("the operator's token is for devices and API keys only")]
    OperatorNotAllowed,
    /// The token of a program lacks this scope.
    #[error("this token needs the scope `{0}`")]
    ScopeRequired(TokenScope),
    /// Only somebody who has logged in may do this, and no program with a token.
    #[error("a program's token cannot do this: log in")]
    LoginRequired,
    /// The caller has no such token for a program.
    #[error("there is no such token")]
    ProgramTokenNotFound,
    /// The caller has this many tokens for programs.
    #[error("you have {0} tokens for programs: revoke one that no program uses any more")]
    TooManyProgramTokens(u32),
    /// A new token was to expire before now.
    #[error("must be in the future")]
    ExpiryPassed,
    /// No API key, or an invalid one: malformed, unknown, or revoked.
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
    /// The mail server does not accept mail now, or none is configured.
    #[error("no mail can be sent at the moment")]
    MailUnavailable,
    /// A mailed link to choose a password is too old, was used, or is not ours.
    #[error("this link does not work any more: ask for a new one")]
    ResetLinkExpired,
    /// Another account has this address.
    #[error("an account with this email exists")]
    EmailTaken,
    /// Another account has the address of an external identity.
    #[error("another account has the email of this identity")]
    IdentityConflict,
    /// A new external identity has no valid address.
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
    /// No household has this invite code, or not any more.
    #[error("no household has this invite code")]
    InviteNotFound,
    /// A household must have an admin.
    #[error("the household's only admin cannot go or step down")]
    LastAdmin,
    /// The name of the household was not typed, or another.
    #[error("type the household's name to delete it")]
    NameNotConfirmed,
    /// There is no such member.
    #[error("there is no such member")]
    MemberNotFound,
    /// There is no such item.
    #[error("there is no such item")]
    ItemNotFound,
    /// The item has changed since; this is the current one.
    #[error("the item has changed since it was read")]
    VersionConflict(Box<ConflictingItem>),
    /// The last change of the item cannot be undone.
    #[error("the last change cannot be undone")]
    NothingToUndo,
    /// This other item has the same name and date.
    #[error("another item has the same name and expiration date")]
    DuplicateItem(Box<ConflictingItem>),
    /// This item is the same thing in a unit that does not convert.
    #[error("the same item exists in a unit that does not convert")]
    UnitMismatch(Box<ConflictingItem>),
    /// The sum would be too large. The item, if the caller may see all of it.
    #[error("the quantity would exceed 99999999.99")]
    QuantityOverflow(Option<Box<ConflictingItem>>),
    /// There is no such product.
    #[error("there is no such product")]
    ProductNotFound,
    /// The product has changed since; this is the current one.
    #[error("the product has changed since it was read")]
    ProductVersionConflict(Box<StockedProduct>),
    /// This other product has the name.
    #[error("another product has this name")]
    DuplicateProduct(Box<StockedProduct>),
    /// The product has no photo, or no such one.
    #[error("there is no such photo")]
    PhotoNotFound,
    /// No product has this barcode.
    #[error("no product has this barcode")]
    BarcodeNotFound,
    /// This other product has the barcode.
    #[error("another product has this barcode")]
    BarcodeTaken(Box<StockedProduct>),
    /// More barcodes than one product can have.
    #[error("a product has at most {} barcodes", Barcodes::MAX)]
    TooManyBarcodes,
    /// The product has this many lots.
    #[error("the product has {0} lots")]
    ProductHasLots(u64),
    /// No lot has a unit that converts into the requested one.
    #[error("no lot has a unit that converts into this one")]
    LotsUnitMismatch,
    /// A lot's unit cannot show what would be left.
    #[error("what would be left of a lot does not fit into two decimals of its unit")]
    LotsNotExact,
    /// It would take more lots than the store changes at once.
    #[error("it would take more lots than can be changed at once")]
    TooManyLotsAtOnce,
    /// There is less of the item than that.
    #[error("there is less of it than that")]
    NotEnough(Box<ConflictingItem>),
    /// There would be more than this many of something.
    #[error("there can be at most {0} of them")]
    QuotaExceeded(usize),
    /// The category that was named does not exist.
    #[error("must be an existing category")]
    UnknownCategory,
    /// The storage location that was named for an item does not exist.
    #[error("must be an existing storage location")]
    UnknownLocation,
    /// The store that an item is preferably bought in does not exist.
    #[error("must be an existing store")]
    UnknownPreferredStore,
    /// The item that something to buy was to restock does not exist.
    #[error("must be an item of the household's inventory")]
    UnknownItem,
    /// The store that was named for something to buy does not exist.
    #[error("must be a store of the household")]
    UnknownStore,
    /// The device that was named for a storage location is not registered.
    #[error("must be a device of the household")]
    UnknownDevice,
    /// There is no such device.
    #[error("there is no such device")]
    DeviceNotFound,
    /// The device has no readings, or all have expired.
    #[error("the device has no readings")]
    NoReadings,
    /// There is no such entry of the shopping list.
    #[error("there is no such shopping item")]
    ShoppingItemNotFound,
    /// The entry has changed since; this is the current one.
    #[error("the shopping item has changed since it was read")]
    ShoppingVersionConflict(Box<ShoppingItem>),
    /// This entry restocks the same item, and is still to be bought.
    #[error("the same item is on the list already")]
    DuplicateShoppingItem(Box<ShoppingItem>),
    /// The purchased quantity is missing.
    #[error("must say how much was bought")]
    AmountRequired,
    /// The unit is missing, and no item of this name is in stock to derive it from.
    #[error("must say in which unit it was bought")]
    UnitRequired,
    /// There is no such notification.
    #[error("there is no such notification")]
    NotificationNotFound,
    /// The notification was resolved before anyone acknowledged it; this is its current state.
    #[error("the notification is resolved")]
    NotificationResolved(Box<Notification>),
    /// The requested storage location does not exist.
    #[error("there is no such storage location")]
    LocationNotFound,
    /// The requested shop does not exist.
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
    /// The device belongs to another owner.
    #[error("the device is not one of this API key's household")]
    DeviceNotAllowed,
    /// The readings at these places are of devices that are not registered for the key's household.
    #[error("a device is not registered with this API key's household")]
    ReadingsNotAllowed(Vec<usize>),
    /// There is no such grant.
    #[error("there is no such grant")]
    GrantNotFound,
    /// Only admins and members with the grant permission may grant.
    #[error("only an admin of the household, or a member with the grant permission, may do this")]
    GrantNotAllowed,
    /// There is no such job, or it finished more than a day ago.
    #[error("there is no such job")]
    JobNotFound,
    /// There is no such resource, or it is invisible to the caller.
    #[error("there is no such resource")]
    ResourceNotFound,
    /// The requested or named parent does not exist, or is invisible to the caller.
    #[error("there is no such parent")]
    ParentNotFound,
    /// There is no such collection, or it is invisible to the caller.
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
    /// The type is reserved for the application.
    #[error("only the application makes resources of this type")]
    ReservedResourceType,
    /// A resource was to be linked to itself.
    #[error("a resource cannot be linked to itself")]
    SelfLink,
    /// The resource would be its own ancestor.
    #[error("the new parent is below the resource")]
    Cycle,
    /// The resource has changed since; this is the current one, if the caller may see it.
    #[error("the resource has changed since it was read")]
    ResourceVersionConflict(Option<Box<Resource>>),
    /// The resource was written by a newer server, in a schema version unknown to this one.
    #[error("the resource has a shape that this server does not know yet")]
    SchemaTooNew,
    /// Another place of the household has this name.
    #[error("another one has this name")]
    NameTaken,
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    IdempotencyMismatch,
    /// The idempotency key has just been used: look up its result.
    #[error("the idempotency key was used before")]
    IdempotencyKeyUsed,
    /// A picture is not taken.
    #[error("the picture {0}")]
    ImageRefused(#[from] ImageRefused),
    /// The store failed.
    #[error("storage failed")]
    Storage(#[source] StorageError),
    /// A broken promise inside Larder.
    #[error("defect: {0}")]
    Defect(String),
}

/// An item that is in the way of a change, as the caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictingItem {
    /// The item as it is now.
    pub item: Item,
    /// The day at the household, which decides whether the item has expired.
    pub today: Date,
}

/// The kinds of [`AppError`]: all that a transport needs to choose its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller is not authenticated.
    Unauthenticated,
    /// The caller may not do this.
    Forbidden,
    /// It does not exist, or not for the caller.
    NotFound,
    /// It existed once.
    Gone,
    /// In conflict with the present state.
    Conflict,
    /// An input is wrong.
    Invalid,
    /// Every input is valid, but the result would not be.
    Unprocessable,
    /// The input exceeds the limits of a store.
    TooLarge,
    /// The same call may succeed later.
    Unavailable,
    /// A failure of Larder itself.
    Defect,
}

impl AppError {
    /// The kind of error.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Unauthenticated | Self::InvalidApiKey | Self::InvalidCredentials => {
                ErrorKind::Unauthenticated
            }
            Self::OperatorNotAllowed
            | Self::ScopeRequired(_)
            | Self::LoginRequired
            | Self::TooManyProgramTokens(_)
            | Self::RegistrationClosed
            | Self::IdentityConflict
            | Self::IdentityWithoutEmail
            | Self::AdminRequired
            | Self::DeviceNotAllowed
            | Self::ReadingsNotAllowed(_)
            | Self::QuotaExceeded(_)
            | Self::GrantNotAllowed => ErrorKind::Forbidden,
            Self::SessionNotFound
            | Self::ProgramTokenNotFound
            | Self::NoHousehold
            | Self::InviteNotFound
            | Self::MemberNotFound
            | Self::ItemNotFound
            | Self::DeviceNotFound
            | Self::NoReadings
            | Self::ShoppingItemNotFound
            | Self::NotificationNotFound
            | Self::LocationNotFound
            | Self::StoreNotFound
            | Self::TagNotFound
            | Self::ApiKeyNotFound
            | Self::GrantNotFound
            | Self::JobNotFound
            | Self::ResourceNotFound
            | Self::ParentNotFound
            | Self::CollectionNotFound
            | Self::CollectionMemberNotFound
            | Self::ProductNotFound
            | Self::BarcodeNotFound
            | Self::PhotoNotFound
            | Self::UniqueKeyNotFound => ErrorKind::NotFound,
            Self::TagRotated | Self::TagItemDeleted | Self::ResetLinkExpired => ErrorKind::Gone,
            Self::EmailTaken
            | Self::HouseholdRequired
            | Self::AlreadyInHousehold
            | Self::LastAdmin
            | Self::VersionConflict(_)
            | Self::NothingToUndo
            | Self::DuplicateItem(_)
            | Self::ProductVersionConflict(_)
            | Self::DuplicateProduct(_)
            | Self::BarcodeTaken(_)
            | Self::ProductHasLots(_)
            | Self::LotsUnitMismatch
            | Self::LotsNotExact
            | Self::UnitMismatch(_)
            | Self::ShoppingVersionConflict(_)
            | Self::DuplicateShoppingItem(_)
            | Self::NotificationResolved(_)
            | Self::ResourceExists
            | Self::UniqueKeyTaken(_)
            | Self::Cycle
            | Self::ResourceVersionConflict(_)
            | Self::SchemaTooNew
            | Self::NameTaken
            | Self::IdempotencyMismatch
            | Self::IdempotencyKeyUsed => ErrorKind::Conflict,
            Self::UnknownCategory
            | Self::UnknownLocation
            | Self::UnknownPreferredStore
            | Self::UnknownItem
            | Self::UnknownStore
            | Self::UnknownDevice
            | Self::ExpiryPassed
            | Self::AmountRequired
            | Self::UnitRequired
            | Self::ReservedResourceType
            | Self::SelfLink
            | Self::NameNotConfirmed => ErrorKind::Invalid,
            Self::QuantityOverflow(_)
            | Self::TooManyLotsAtOnce
            | Self::NotEnough(_)
            | Self::TooManyBarcodes
            | Self::ImageRefused(_) => ErrorKind::Unprocessable,
            Self::MailUnavailable => ErrorKind::Unavailable,
            Self::Storage(error) => match error {
                StorageError::Unavailable(_) | StorageError::Contention(_) => {
                    ErrorKind::Unavailable
                }
                StorageError::TooLarge(_) => ErrorKind::TooLarge,
                // A used key is an outcome of its own (`From` below), so that here it is a defect.
                StorageError::Corrupt { .. }
                | StorageError::IdempotencyKeyUsed
                | StorageError::Defect(_) => ErrorKind::Defect,
            },
            Self::Defect(_) => ErrorKind::Defect,
        }
    }
}

/// The result of every use case.
pub type Result<T, E = AppError> = std::result::Result<T, E>;

impl From<StorageError> for AppError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::IdempotencyKeyUsed => Self::IdempotencyKeyUsed,
            other => Self::Storage(other),
        }
    }
}

impl From<InsufficientToken> for AppError {
    fn from(lacking: InsufficientToken) -> Self {
        match lacking {
            InsufficientToken::Scope(scope) => Self::ScopeRequired(scope),
            InsufficientToken::Login => Self::LoginRequired,
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

    #[test]
    fn only_what_may_succeed_later_is_unavailable() {
        let kind = |error: StorageError| AppError::Storage(error).kind();
        assert_eq!(kind(StorageError::Unavailable(String::new())), ErrorKind::Unavailable);
        assert_eq!(kind(StorageError::Contention(String::new())), ErrorKind::Unavailable);
        assert_eq!(kind(StorageError::TooLarge(String::new())), ErrorKind::TooLarge);
        assert_eq!(kind(StorageError::Defect(String::new())), ErrorKind::Defect);
        let (record, reason) = (String::new(), String::new());
        assert_eq!(kind(StorageError::Corrupt { record, reason }), ErrorKind::Defect);
    }
}
