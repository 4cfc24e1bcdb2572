//! Errors as the problem documents of the API.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_app::{AppError, ConflictingItem};
use larder_http::{FieldError, InvalidCursor, Problem, ProblemDocument, status_of};
use larder_storage::TakenKey;
use serde::Serialize;

use crate::{
    inventory::dto::ItemDto,
    notifications::dto::NotificationDto,
    products::dto::ProductDto,
    resources::dto::{ResourceDto, TakenKeyDto},
    shopping::dto::ShoppingItemDto,
};

/// The error of a handler: answered as a problem document.
#[derive(Debug)]
pub(crate) struct ApiError(Problem);

impl ApiError {
    /// The same with what could be created instead.
    pub(crate) fn suggestion(self, record: &impl Serialize) -> Self {
        Self(self.0.suggestion(record))
    }

    /// The problem document, for a response that contains several.
    pub(crate) fn into_document(self) -> ProblemDocument {
        self.0.into_document()
    }
}

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

/// The problem of each error: the status follows from its kind; code and title are specific.
fn problem_of(error: AppError) -> Problem {
    let kind = error.kind();
    let problem = |code, title| Problem::new(status_of(kind), code, title);
    let invalid = |field: &'static str, rule: String| {
        problem("INVALID_FIELDS", "Validation failed").field_error(field, rule)
    };
    let changed = |version: u64| {
        problem("VERSION_CONFLICT", "The item has changed meanwhile")
            .detail(format!("it is at version {version} now"))
    };
    let not_allowed = |detail: String| {
        problem("DEVICE_NOT_ALLOWED", "Not a device of this API key").detail(detail)
    };
    let detail = error.to_string();
    match error {
        AppError::Unauthenticated => Problem::for_status(status_of(kind)).detail(detail),
        AppError::OperatorNotAllowed => {
            problem("OPERATOR_NOT_ALLOWED", "This is not the operator's").detail(detail)
        }
        AppError::ScopeRequired(scope) => {
            problem("SCOPE_REQUIRED", "The token is not allowed to do this")
                .detail(detail)
                .scope(scope.as_str())
        }
        AppError::LoginRequired => problem("LOGIN_REQUIRED", "This takes a login").detail(detail),
        AppError::ProgramTokenNotFound => problem("TOKEN_NOT_FOUND", "No such token"),
        AppError::TooManyProgramTokens(limit) => problem("QUOTA_EXCEEDED", "That is one too many")
            .detail(detail)
            .limit(usize::try_from(limit).unwrap_or(usize::MAX)),
        AppError::ExpiryPassed => invalid("expiresAt", detail),
        AppError::InvalidApiKey => problem("INVALID_API_KEY", "An API key is needed")
            .detail("send an API key that works as X-API-Key")
            .scheme("ApiKey"),
        AppError::InvalidCredentials => {
            problem("INVALID_CREDENTIALS", "Email or password is wrong")
        }
        AppError::RegistrationClosed => {
            problem("REGISTRATION_CLOSED", "Registration is closed to strangers")
                .detail("ask an admin of a household for its current invite code")
        }
        AppError::MailUnavailable => problem("MAIL_UNAVAILABLE", "No mail can be sent now"),
        AppError::ResetLinkExpired => {
            problem("RESET_LINK_EXPIRED", "This link does not work any more")
                .detail("it is too old, was used, or is not from here: ask for a new one")
        }
        AppError::EmailTaken => problem("EMAIL_TAKEN", "This email has an account already")
            .field_error("email", "has an account already"),
        AppError::IdentityConflict | AppError::IdentityWithoutEmail => {
            problem("IDENTITY_REFUSED", "This identity cannot log in").detail(detail)
        }
        AppError::AdminRequired => {
            problem("ADMIN_REQUIRED", "Only an admin may do this").detail(detail)
        }
        AppError::HouseholdRequired => {
            problem("HOUSEHOLD_REQUIRED", "This needs a household").detail(detail)
        }
        AppError::NoHousehold => problem("NO_HOUSEHOLD", "You belong to no household")
            .detail("create a household, or join one with an invite code"),
        AppError::AlreadyInHousehold => {
            problem("ALREADY_IN_HOUSEHOLD", "You belong to a household already")
                .detail("leave it first: a person belongs to one household at a time")
        }
        AppError::InviteNotFound => problem("INVITE_NOT_FOUND", "No household has this code")
            .detail("ask for the current invite code: an old one stops working"),
        AppError::LastAdmin => problem("LAST_ADMIN", "A household keeps at least one admin")
            .detail("make another member admin first"),
        AppError::MemberNotFound => problem("MEMBER_NOT_FOUND", "No such member"),
        AppError::ItemNotFound => problem("ITEM_NOT_FOUND", "No such item"),
        AppError::LocationNotFound => problem("LOCATION_NOT_FOUND", "No such storage location"),
        AppError::StoreNotFound => problem("STORE_NOT_FOUND", "No such store"),
        AppError::TagNotFound => problem("TAG_NOT_FOUND", "No such tag"),
        AppError::TagRotated => problem("TAG_ROTATED", "This tag was replaced"),
        AppError::TagItemDeleted => problem("ITEM_DELETED", "The item of this tag was deleted"),
        AppError::UnknownCategory => invalid("categoryId", detail),
        AppError::UnknownLocation => invalid("storageLocationId", detail),
        AppError::UnknownPreferredStore => invalid("preferredStoreId", detail),
        AppError::UnknownItem => invalid("itemId", detail),
        AppError::UnknownStore => invalid("storeId", detail),
        AppError::UnknownDevice => invalid("deviceId", detail),
        AppError::SessionNotFound => problem("SESSION_NOT_FOUND", "No such session"),
        AppError::ApiKeyNotFound => problem("API_KEY_NOT_FOUND", "No such API key"),
        AppError::DeviceNotAllowed => not_allowed(detail),
        AppError::ReadingsNotAllowed(places) => {
            let field = |place| format!("readings[{place}].hardware_id");
            let error = |place| FieldError {
                field: field(place).into(),
                message: "is not registered with this API key's household".into(),
            };
            not_allowed(detail).field_errors(places.into_iter().map(error))
        }
        AppError::DeviceNotFound => problem("DEVICE_NOT_FOUND", "No such device"),
        AppError::NoReadings => problem("NO_READINGS", "The device has no readings"),
        AppError::ShoppingItemNotFound => {
            problem("SHOPPING_ITEM_NOT_FOUND", "No such shopping item")
        }
        AppError::ShoppingVersionConflict(current) => {
            changed(current.version).current(&ShoppingItemDto::of(&current))
        }
        AppError::NameNotConfirmed => invalid("confirm", detail),
        AppError::AmountRequired => invalid("quantity", detail),
        AppError::UnitRequired => invalid("unit", detail),
        AppError::DuplicateShoppingItem(existing) => {
            problem("DUPLICATE_SHOPPING_ITEM", "The same item is on the list already")
                .detail("send \"force\": true to add it once more")
                .existing(&ShoppingItemDto::of(&existing))
        }
        AppError::NotificationNotFound => problem("NOTIFICATION_NOT_FOUND", "No such notification"),
        AppError::NotificationResolved(current) => {
            problem("NOTIFICATION_RESOLVED", "The notification is resolved")
                .detail("what it said is not so any more")
                .current(&NotificationDto::of(&current))
        }
        AppError::GrantNotFound => problem("GRANT_NOT_FOUND", "No such grant"),
        AppError::GrantNotAllowed => {
            problem("GRANT_NOT_ALLOWED", "You may not grant here").detail(detail)
        }
        AppError::JobNotFound => problem("JOB_NOT_FOUND", "No such job"),
        AppError::ResourceNotFound => problem("RESOURCE_NOT_FOUND", "No such resource"),
        AppError::ParentNotFound => problem("PARENT_NOT_FOUND", "No such parent"),
        AppError::CollectionNotFound => problem("COLLECTION_NOT_FOUND", "No such collection"),
        AppError::CollectionMemberNotFound => {
            problem("MEMBER_NOT_FOUND", "No such resource to be a member")
        }
        AppError::UniqueKeyNotFound => {
            problem("UNIQUE_KEY_NOT_FOUND", "No resource has this value")
        }
        AppError::ResourceExists => problem("RESOURCE_EXISTS", "A resource with this URN exists")
            .field_error("id", "is taken"),
        AppError::UniqueKeyTaken(taken) => {
            name_taken_key(problem("UNIQUE_KEY_TAKEN", "Another resource has this value"), &taken)
        }
        AppError::ReservedResourceType => {
            problem("RESERVED_RESOURCE_TYPE", "The application keeps this resource type for itself")
                .field_error("resourceType", detail)
        }
        AppError::SelfLink => problem("SELF_LINK", "A resource cannot be linked to itself"),
        AppError::Cycle => problem("CYCLE", "The resource would be above itself").detail(detail),
        AppError::ResourceVersionConflict(current) => {
            let problem = problem("VERSION_CONFLICT", "The resource has changed meanwhile");
            match current {
                Some(current) => problem
                    .detail(format!("it is at version {} now", current.version))
                    .current(&ResourceDto::of(&current)),
                None => problem,
            }
        }
        AppError::SchemaTooNew => {
            problem("SCHEMA_TOO_NEW", "A newer server has written this resource").detail(detail)
        }
        AppError::NameTaken => {
            problem("NAME_TAKEN", "Another one has this name").field_error("name", "is taken")
        }
        AppError::IdempotencyMismatch => {
            problem("IDEMPOTENCY_MISMATCH", "The Idempotency-Key was used for another request")
        }
        AppError::IdempotencyKeyUsed => {
            problem("IDEMPOTENCY_KEY_USED", "The Idempotency-Key was used before")
        }
        AppError::VersionConflict(now) => changed(now.item.version).current(&dto(&now)),
        AppError::NothingToUndo => problem("NOTHING_TO_UNDO", "The last change cannot be undone")
            .detail("an addition is undone by deleting the item"),
        AppError::DuplicateItem(other) => {
            problem("DUPLICATE_ITEM", "Another item has this name and date")
                .detail("send \"merge\": true to make the two one")
                .existing(&dto(&other))
        }
        AppError::UnitMismatch(other) => {
            problem("UNIT_MISMATCH", "The same item is there in another unit")
                .detail("the units do not convert into each other exactly with two decimals")
                .existing(&dto(&other))
        }
        AppError::QuantityOverflow(item) => {
            let problem =
                problem("QUANTITY_OVERFLOW", "That is more than an item can hold").detail(detail);
            match item {
                Some(item) => problem.existing(&dto(&item)),
                None => problem,
            }
        }
        AppError::ProductNotFound => problem("PRODUCT_NOT_FOUND", "No such product"),
        AppError::ProductVersionConflict(current) => {
            problem("VERSION_CONFLICT", "The product has changed meanwhile")
                .detail(format!("it is at version {} now", current.product.version))
                .current(&ProductDto::of(&current))
        }
        AppError::DuplicateProduct(existing) => {
            problem("DUPLICATE_PRODUCT", "Another product has this name")
                .detail("send \"merge\": true to make the two one")
                .existing(&ProductDto::of(&existing))
        }
        AppError::PhotoNotFound => problem("PHOTO_NOT_FOUND", "No such photo"),
        AppError::BarcodeNotFound => problem("BARCODE_NOT_FOUND", "No product has this barcode"),
        AppError::BarcodeTaken(existing) => {
            problem("BARCODE_TAKEN", "Another product has this barcode")
                .existing(&ProductDto::of(&existing))
        }
        AppError::TooManyBarcodes => {
            problem("TOO_MANY_BARCODES", "That is more barcodes than a product can have")
                .detail(detail)
        }
        AppError::ProductHasLots(_) => problem("PRODUCT_HAS_LOTS", "The product has lots")
            .detail(format!("{detail}: delete them first, used up ones too")),
        AppError::LotsUnitMismatch | AppError::LotsNotExact => {
            problem("UNIT_MISMATCH", "The lots are in another unit").detail(detail)
        }
        AppError::NotEnough(now) => {
            problem("NOT_ENOUGH", "There is less of it than that").current(&dto(&now))
        }
        AppError::TooManyLotsAtOnce => problem("TOO_MANY_LOTS", "That takes too many lots at once")
            .detail("take less at a time"),
        AppError::QuotaExceeded(limit) => {
            problem("QUOTA_EXCEEDED", "That is one too many").detail(detail).limit(limit)
        }
        AppError::ImageRefused(_) => {
            problem("IMAGE_REFUSED", "The picture is not accepted").detail(detail)
        }
        AppError::Storage(cause) => Problem::of_kind(kind, &cause),
        AppError::Defect(cause) => Problem::of_kind(kind, &cause),
    }
}

/// A browser's request without proof that one of our own pages sent it.
pub(crate) fn csrf_token_invalid() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "CSRF_TOKEN_INVALID", "The page is out of date")
        .detail("reload the page and try again; a script of a page sends its token as X-CSRF-Token")
}

fn dto(conflicting: &ConflictingItem) -> ItemDto<'_> {
    ItemDto::of(&conflicting.item, conflicting.today)
}

/// The holder of the value is named only to their own household.
fn name_taken_key(problem: Problem, taken: &TakenKey) -> Problem {
    let key = &taken.key;
    let problem = problem
        .detail(format!("{} {:?} is taken", key.property, key.value.as_str()))
        .field_error("uniqueKeys", format!("the value of {} is taken", key.property));
    match &taken.holder {
        Some(holder) => problem.existing(&TakenKeyDto::of(holder, key)),
        None => problem,
    }
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, civil::date};
    use larder_domain::{
        ExpirationDate, HouseholdId, Item, ItemDetails, ItemId, ItemName, Owner, Quantity, Unit,
        UserId,
    };
    use serde_json::Value;

    use super::*;

    async fn answer(error: AppError) -> Value {
        let response = ApiError::from(error).into_response();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    #[tokio::test]
    async fn an_item_in_the_way_is_shown_as_it_looks_on_the_day_of_the_household() {
        let details = ItemDetails {
            expiration: Some(ExpirationDate::parse("2031-01-01").unwrap()),
            ..ItemDetails::new(
                ItemName::parse("Milk").unwrap(),
                Quantity::whole(2),
                Unit::parse("L").unwrap(),
            )
        };
        let owner = Owner::Household(HouseholdId::fixed(1));
        let item =
            Item::new(ItemId::fixed(2), owner, details, UserId::fixed(3), Timestamp::UNIX_EPOCH);
        let conflicting =
            || Box::new(ConflictingItem { item: item.clone(), today: date(2031, 1, 2) });
        for (error, status, field) in [
            (AppError::VersionConflict(conflicting()), 409, "current"),
            (AppError::DuplicateItem(conflicting()), 409, "existing"),
            (AppError::UnitMismatch(conflicting()), 409, "existing"),
            (AppError::QuantityOverflow(Some(conflicting())), 422, "existing"),
        ] {
            let answer = answer(error).await;
            assert_eq!(answer["status"], status, "{answer}");
            assert_eq!(answer[field]["name"], "Milk", "{answer}");
            assert_eq!(answer[field]["expirationStatus"], "expired", "{answer}");
        }
    }
}
