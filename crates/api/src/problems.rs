//! The one map from what went wrong to what HTTP says.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{FieldError, InvalidCursor, Problem};
use larder_storage::{StorageError, TakenKey};

use crate::{
    inventory::dto::ItemDto,
    notifications::dto::NotificationDto,
    resources::dto::{ResourceDto, TakenKeyDto},
    shopping::dto::ShoppingItemDto,
};

/// Why a handler has no result: answered as a problem document.
#[derive(Debug)]
pub(crate) struct ApiError(Problem);

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<InvalidCursor> for ApiError {
    fn from(error: InvalidCursor) -> Self {
        Self(error.into())
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        Self(problem_of(error))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

/// The status that a use case's error is answered with.
pub fn status_of(error: AppError) -> StatusCode {
    problem_of(error).status()
}

pub(crate) fn problem_of(error: AppError) -> Problem {
    let conflict = |code, title| Problem::new(StatusCode::CONFLICT, code, title);
    let detail = error.to_string();
    match error {
        AppError::Unauthenticated => Problem::for_status(StatusCode::UNAUTHORIZED).detail(detail),
        AppError::OperatorNotAllowed => Problem::new(
            StatusCode::FORBIDDEN,
            "OPERATOR_NOT_ALLOWED",
            "This is not the operator's",
        )
        .detail(detail),
        AppError::InvalidApiKey => {
            Problem::new(StatusCode::UNAUTHORIZED, "INVALID_API_KEY", "An API key is needed")
                .detail("send an API key that works as X-API-Key")
                .scheme("ApiKey")
        }
        AppError::InvalidCredentials => Problem::new(
            StatusCode::UNAUTHORIZED,
            "INVALID_CREDENTIALS",
            "Email or password is wrong",
        ),
        AppError::RegistrationClosed => Problem::new(
            StatusCode::FORBIDDEN,
            "REGISTRATION_CLOSED",
            "Registration is closed to strangers",
        )
        .detail("ask an admin of a household for its current invite code"),
        AppError::MailUnavailable => Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "MAIL_UNAVAILABLE",
            "No mail can be sent now",
        ),
        AppError::EmailTaken => conflict("EMAIL_TAKEN", "This email has an account already")
            .field_error("email", "has an account already"),
        AppError::IdentityConflict | AppError::IdentityWithoutEmail => {
            Problem::new(StatusCode::FORBIDDEN, "IDENTITY_REFUSED", "This identity cannot log in")
                .detail(detail)
        }
        AppError::AdminRequired => {
            Problem::new(StatusCode::FORBIDDEN, "ADMIN_REQUIRED", "Only an admin may do this")
                .detail(detail)
        }
        AppError::HouseholdRequired => {
            conflict("HOUSEHOLD_REQUIRED", "This needs a household").detail(detail)
        }
        AppError::NoHousehold => {
            Problem::new(StatusCode::NOT_FOUND, "NO_HOUSEHOLD", "You belong to no household")
                .detail("create a household, or join one with an invite code")
        }
        AppError::AlreadyInHousehold => {
            conflict("ALREADY_IN_HOUSEHOLD", "You belong to a household already")
                .detail("leave it first: a person belongs to one household at a time")
        }
        AppError::InviteNotFound => {
            Problem::new(StatusCode::NOT_FOUND, "INVITE_NOT_FOUND", "No household has this code")
                .detail("ask for the current invite code: an old one stops working")
        }
        AppError::LastAdmin => conflict("LAST_ADMIN", "A household keeps at least one admin")
            .detail("make another member admin first"),
        AppError::MemberNotFound => not_found("MEMBER_NOT_FOUND", "No such member"),
        AppError::ItemNotFound => not_found("ITEM_NOT_FOUND", "No such item"),
        AppError::LocationNotFound => not_found("LOCATION_NOT_FOUND", "No such storage location"),
        AppError::StoreNotFound => not_found("STORE_NOT_FOUND", "No such store"),
        AppError::TagNotFound => not_found("TAG_NOT_FOUND", "No such tag"),
        AppError::TagRotated => gone("TAG_ROTATED", "This tag was replaced"),
        AppError::TagItemDeleted => gone("ITEM_DELETED", "The item of this tag was deleted"),
        AppError::UnknownCategory => unknown("categoryId", detail),
        AppError::UnknownLocation => unknown("storageLocationId", detail),
        AppError::UnknownStore => unknown("preferredStoreId", detail),
        AppError::UnknownItem => unknown("itemId", detail),
        AppError::UnknownShop => unknown("storeId", detail),
        AppError::UnknownDevice => unknown("deviceId", detail),
        AppError::SessionNotFound => not_found("SESSION_NOT_FOUND", "No such session"),
        AppError::ApiKeyNotFound => not_found("API_KEY_NOT_FOUND", "No such API key"),
        AppError::DeviceNotAllowed => device_not_allowed(detail),
        AppError::ReadingsNotAllowed(places) => {
            let field = |place| format!("readings[{place}].hardware_id");
            let error = |place| FieldError {
                field: field(place).into(),
                message: "is not registered with this API key's household".into(),
            };
            device_not_allowed(detail).field_errors(places.into_iter().map(error))
        }
        AppError::DeviceNotFound => not_found("DEVICE_NOT_FOUND", "No such device"),
        AppError::NoReadings => not_found("NO_READINGS", "The device has no readings"),
        AppError::ShoppingItemNotFound => {
            not_found("SHOPPING_ITEM_NOT_FOUND", "No such shopping item")
        }
        AppError::ShoppingVersionConflict(current) => {
            version_conflict(current.version).current(&ShoppingItemDto::of(&current))
        }
        AppError::AmountRequired => unknown("quantity", detail),
        AppError::DuplicateShoppingItem(existing) => {
            conflict("DUPLICATE_SHOPPING_ITEM", "The same item is on the list already")
                .detail("send \"force\": true to add it once more")
                .existing(&ShoppingItemDto::of(&existing))
        }
        AppError::NotificationNotFound => {
            not_found("NOTIFICATION_NOT_FOUND", "No such notification")
        }
        AppError::NotificationResolved(current) => {
            conflict("NOTIFICATION_RESOLVED", "The notification is resolved")
                .detail("what it said is not so any more")
                .current(&NotificationDto::of(&current))
        }
        AppError::GrantNotFound => not_found("GRANT_NOT_FOUND", "No such grant"),
        AppError::GrantNotAllowed => {
            Problem::new(StatusCode::FORBIDDEN, "GRANT_NOT_ALLOWED", "You may not grant here")
                .detail(detail)
        }
        AppError::JobNotFound => not_found("JOB_NOT_FOUND", "No such job"),
        AppError::ResourceNotFound => not_found("RESOURCE_NOT_FOUND", "No such resource"),
        AppError::ParentNotFound => not_found("PARENT_NOT_FOUND", "No such parent"),
        AppError::CollectionNotFound => not_found("COLLECTION_NOT_FOUND", "No such collection"),
        AppError::CollectionMemberNotFound => {
            not_found("MEMBER_NOT_FOUND", "No such resource to be a member")
        }
        AppError::UniqueKeyNotFound => {
            not_found("UNIQUE_KEY_NOT_FOUND", "No resource has this value")
        }
        AppError::ResourceExists => conflict("RESOURCE_EXISTS", "A resource with this URN exists")
            .field_error("id", "is taken"),
        AppError::UniqueKeyTaken(taken) => unique_key_taken(&taken),
        AppError::ReservedResourceType => Problem::bad_request(
            "RESERVED_RESOURCE_TYPE",
            "The application keeps this resource type for itself",
        )
        .field_error("resourceType", detail),
        AppError::SelfLink => {
            Problem::bad_request("SELF_LINK", "A resource cannot be linked to itself")
        }
        AppError::Cycle => conflict("CYCLE", "The resource would be above itself").detail(detail),
        AppError::ResourceVersionConflict(current) => {
            let problem = conflict("VERSION_CONFLICT", "The resource has changed meanwhile");
            match current {
                Some(current) => problem
                    .detail(format!("it is at version {} now", current.version))
                    .current(&ResourceDto::of(&current)),
                None => problem,
            }
        }
        AppError::SchemaTooNew => {
            conflict("SCHEMA_TOO_NEW", "A newer server has written this resource").detail(detail)
        }
        AppError::NameTaken => {
            conflict("NAME_TAKEN", "Another one has this name").field_error("name", "is taken")
        }
        AppError::IdempotencyMismatch => {
            conflict("IDEMPOTENCY_MISMATCH", "The Idempotency-Key was used for another request")
        }
        AppError::IdempotencyKeyUsed => {
            conflict("IDEMPOTENCY_KEY_USED", "The Idempotency-Key was used before")
        }
        AppError::VersionConflict(_)
        | AppError::DuplicateItem(_)
        | AppError::UnitMismatch(_)
        | AppError::QuantityOverflow(_) => {
            // Handlers of items use `item_problem`, because showing the item needs the household's day.
            Problem::internal(&"an item conflict was answered without its item")
        }
        AppError::Storage(error) => storage(&error),
        AppError::Defect(cause) => Problem::internal(&cause),
    }
}

/// A browser's request that does not show that one of our own pages sent it.
pub(crate) fn csrf_token_invalid() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "CSRF_TOKEN_INVALID", "The page is out of date")
        .detail("reload the page and try again; a script of a page sends its token as X-CSRF-Token")
}

/// The problem of a use case on items: the item that is in the way goes with it.
pub(crate) fn item_problem(error: AppError, today: jiff::civil::Date) -> ApiError {
    item_problem_of(error, today).into()
}

fn item_problem_of(error: AppError, today: jiff::civil::Date) -> Problem {
    let detail = error.to_string();
    let conflict = |code, title| Problem::new(StatusCode::CONFLICT, code, title);
    match error {
        AppError::VersionConflict(item) => {
            version_conflict(item.version).current(&ItemDto::of(&item, today))
        }
        AppError::DuplicateItem(item) => {
            conflict("DUPLICATE_ITEM", "Another item has this name and date")
                .detail("send \"merge\": true to make the two one")
                .existing(&ItemDto::of(&item, today))
        }
        AppError::UnitMismatch(item) => {
            conflict("UNIT_MISMATCH", "The same item is there in another unit")
                .detail("the units do not convert into each other exactly with two decimals")
                .existing(&ItemDto::of(&item, today))
        }
        AppError::QuantityOverflow(item) => {
            let problem = Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "QUANTITY_OVERFLOW",
                "That is more than an item can hold",
            )
            .detail(detail);
            match item {
                Some(item) => problem.existing(&ItemDto::of(&item, today)),
                None => problem,
            }
        }
        other => problem_of(other),
    }
}

fn version_conflict(version: u64) -> Problem {
    Problem::new(StatusCode::CONFLICT, "VERSION_CONFLICT", "The item has changed meanwhile")
        .detail(format!("it is at version {version} now"))
}

/// Whoever has the value is named only to their own household.
fn unique_key_taken(taken: &TakenKey) -> Problem {
    let key = &taken.key;
    let problem =
        Problem::new(StatusCode::CONFLICT, "UNIQUE_KEY_TAKEN", "Another resource has this value")
            .detail(format!("{} {:?} is taken", key.property, key.value.as_str()))
            .field_error("uniqueKeys", format!("the value of {} is taken", key.property));
    match &taken.holder {
        Some(holder) => problem.existing(&TakenKeyDto::of(holder, key)),
        None => problem,
    }
}

fn device_not_allowed(detail: String) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "DEVICE_NOT_ALLOWED", "Not a device of this API key")
        .detail(detail)
}

fn not_found(code: &'static str, title: &'static str) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, code, title)
}

fn gone(code: &'static str, title: &'static str) -> Problem {
    Problem::new(StatusCode::GONE, code, title)
}

fn unknown(field: &'static str, message: String) -> Problem {
    Problem::bad_request("INVALID_FIELDS", "Validation failed").field_error(field, message)
}

fn storage(error: &StorageError) -> Problem {
    match error {
        StorageError::Unavailable(_) | StorageError::Contention(_) => Problem::unavailable(error),
        StorageError::TooLarge(_) => Problem::for_status(StatusCode::PAYLOAD_TOO_LARGE),
        StorageError::Corrupt { .. }
        | StorageError::IdempotencyKeyUsed
        | StorageError::Defect(_) => Problem::internal(error),
    }
}
