//! Pages and API answer the same error with the same status.

use jiff::Timestamp;
use larder_app::AppError;
use larder_domain::{
    ExpirationDate, HouseholdId, ItemId, ItemName, Notification, NotificationId,
    NotificationSubject, PropertyName, ShoppingDetails, ShoppingItem, ShoppingItemId, ShoppingName,
    UniqueKey, UniqueValue, UserId,
};
use larder_storage::{StorageError, TakenKey};

fn entry() -> ShoppingItem {
    let name = ShoppingName::parse("Milk").unwrap();
    let details = ShoppingDetails { name, store: None, quantity: None, notes: None };
    let (id, household) = (ShoppingItemId::fixed(1), HouseholdId::fixed(2));
    let (by, at) = (UserId::fixed(3), Timestamp::UNIX_EPOCH);
    ShoppingItem::new(id, household, None, details, by, at)
}

fn notification() -> Notification {
    Notification {
        id: NotificationId::fixed(1),
        household: HouseholdId::fixed(2),
        item: ItemId::fixed(3),
        item_name: ItemName::parse("Milk").unwrap(),
        subject: NotificationSubject::Expired(ExpirationDate::parse("2031-01-01").unwrap()),
        created_at: Timestamp::UNIX_EPOCH,
        acknowledged: None,
        resolved_at: None,
    }
}

fn taken() -> TakenKey {
    let (property, value) = (PropertyName::parse("serial"), UniqueValue::parse("s-1"));
    let key =
        UniqueKey { property: property.unwrap(), value: value.unwrap(), case_insensitive: false };
    TakenKey { key, holder: None }
}

/// Each of them once. The four conflicts of items are left out, because the API answers them together with the item.
fn errors() -> Vec<AppError> {
    let storage = [
        StorageError::Unavailable(String::new()),
        StorageError::Contention(String::new()),
        StorageError::Corrupt { record: String::new(), reason: String::new() },
        StorageError::TooLarge(String::new()),
        StorageError::IdempotencyKeyUsed,
        StorageError::Defect(String::new()),
    ];
    let mut errors = vec![
        AppError::Unauthenticated,
        AppError::OperatorNotAllowed,
        AppError::InvalidApiKey,
        AppError::InvalidCredentials,
        AppError::SessionNotFound,
        AppError::RegistrationClosed,
        AppError::MailUnavailable,
        AppError::EmailTaken,
        AppError::IdentityConflict,
        AppError::IdentityWithoutEmail,
        AppError::AdminRequired,
        AppError::HouseholdRequired,
        AppError::NoHousehold,
        AppError::AlreadyInHousehold,
        AppError::InviteNotFound,
        AppError::LastAdmin,
        AppError::MemberNotFound,
        AppError::ItemNotFound,
        AppError::AmountRequired,
        AppError::UnknownCategory,
        AppError::UnknownLocation,
        AppError::UnknownStore,
        AppError::UnknownItem,
        AppError::UnknownShop,
        AppError::UnknownDevice,
        AppError::DeviceNotFound,
        AppError::NoReadings,
        AppError::ShoppingItemNotFound,
        AppError::NotificationNotFound,
        AppError::LocationNotFound,
        AppError::StoreNotFound,
        AppError::TagNotFound,
        AppError::TagRotated,
        AppError::TagItemDeleted,
        AppError::ApiKeyNotFound,
        AppError::DeviceNotAllowed,
        AppError::GrantNotFound,
        AppError::GrantNotAllowed,
        AppError::JobNotFound,
        AppError::ResourceNotFound,
        AppError::ParentNotFound,
        AppError::CollectionNotFound,
        AppError::CollectionMemberNotFound,
        AppError::UniqueKeyNotFound,
        AppError::ResourceExists,
        AppError::ReservedResourceType,
        AppError::SelfLink,
        AppError::Cycle,
        AppError::SchemaTooNew,
        AppError::NameTaken,
        AppError::IdempotencyMismatch,
        AppError::IdempotencyKeyUsed,
        AppError::ShoppingVersionConflict(Box::new(entry())),
        AppError::DuplicateShoppingItem(Box::new(entry())),
        AppError::NotificationResolved(Box::new(notification())),
        AppError::ReadingsNotAllowed(vec![0]),
        AppError::UniqueKeyTaken(Box::new(taken())),
        AppError::ResourceVersionConflict(None),
        AppError::Defect(String::new()),
    ];
    errors.extend(storage.map(AppError::Storage));
    errors
}

/// Does not compile when there is a new error: add it here and above.
const fn is_listed(error: &AppError) {
    match error {
        AppError::Unauthenticated
        | AppError::OperatorNotAllowed
        | AppError::InvalidApiKey
        | AppError::InvalidCredentials
        | AppError::SessionNotFound
        | AppError::RegistrationClosed
        | AppError::MailUnavailable
        | AppError::EmailTaken
        | AppError::IdentityConflict
        | AppError::IdentityWithoutEmail
        | AppError::AdminRequired
        | AppError::HouseholdRequired
        | AppError::NoHousehold
        | AppError::AlreadyInHousehold
        | AppError::InviteNotFound
        | AppError::LastAdmin
        | AppError::MemberNotFound
        | AppError::ItemNotFound
        | AppError::VersionConflict(_)
        | AppError::DuplicateItem(_)
        | AppError::UnitMismatch(_)
        | AppError::QuantityOverflow(_)
        | AppError::AmountRequired
        | AppError::UnknownCategory
        | AppError::UnknownLocation
        | AppError::UnknownStore
        | AppError::UnknownItem
        | AppError::UnknownShop
        | AppError::UnknownDevice
        | AppError::DeviceNotFound
        | AppError::NoReadings
        | AppError::ShoppingItemNotFound
        | AppError::ShoppingVersionConflict(_)
        | AppError::DuplicateShoppingItem(_)
        | AppError::NotificationNotFound
        | AppError::NotificationResolved(_)
        | AppError::LocationNotFound
        | AppError::StoreNotFound
        | AppError::TagNotFound
        | AppError::TagRotated
        | AppError::TagItemDeleted
        | AppError::ApiKeyNotFound
        | AppError::DeviceNotAllowed
        | AppError::ReadingsNotAllowed(_)
        | AppError::GrantNotFound
        | AppError::GrantNotAllowed
        | AppError::JobNotFound
        | AppError::ResourceNotFound
        | AppError::ParentNotFound
        | AppError::CollectionNotFound
        | AppError::CollectionMemberNotFound
        | AppError::UniqueKeyNotFound
        | AppError::ResourceExists
        | AppError::UniqueKeyTaken(_)
        | AppError::ReservedResourceType
        | AppError::SelfLink
        | AppError::Cycle
        | AppError::ResourceVersionConflict(_)
        | AppError::SchemaTooNew
        | AppError::NameTaken
        | AppError::IdempotencyMismatch
        | AppError::IdempotencyKeyUsed
        | AppError::Storage(_)
        | AppError::Defect(_) => {}
    }
}

#[test]
fn pages_and_api_answer_every_error_with_the_same_status() {
    for error in errors() {
        is_listed(&error);
        let (text, page) = (format!("{error:?}"), larder_web::status_of(&error));
        assert_eq!(larder_api::status_of(error), page, "{text}");
    }
}
