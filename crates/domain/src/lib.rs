//! The domain of a household: ids, value types, aggregates and rules.
//!
//! This crate is pure, without clock, randomness, store or transport: these come in as parameters,
//! and every rule can be tested by calling it.

mod account;
mod auto_list;
mod barcodes;
mod belonging;
mod calendar;
mod consumption;
mod currency;
mod entity;
mod erasure;
mod event;
mod gs1;
mod gtin;
mod household;
mod ids;
mod invisible;
mod invite;
mod item;
mod language;
mod list;
mod notification;
mod number;
mod opening;
mod photo;
mod places;
mod product;
mod product_list;
mod program_token;
mod quantity;
mod reference;
pub mod relational;
mod rule;
mod run;
mod shopping;
mod stock;
mod stock_view;
mod tag;
mod telemetry;
pub mod text;
mod three_way;
mod typed_goods;
mod undo;
mod unit;

pub use account::{
    Email, InvalidEmail, Membership, Password, PasswordError, SessionKind, SessionPosition,
    UnknownSessionKind, User, UserPatch,
};
pub use auto_list::{AutoList, MissingStock, missing_stock};
pub use barcodes::{Barcodes, InvalidBarcodes};
pub use belonging::{Belonging, ProductEffect};
pub use calendar::{
    DateError, ExpirationDate, ExpirationStatus, OpeningDate, UnknownZone, Zone, last_day_of_soon,
};
pub use consumption::{CONSUMPTION_WEEKS, WeekConsumption, weekly_consumption, weeks_until};
pub use currency::{Currency, UnknownCurrency};
pub use entity::{Entity, Field, FieldError, FieldSink, FieldSource};
pub use erasure::{Erasure, ErasureKind, ErasureTarget, LAST_LOOK_AFTER};
pub use event::{Change, DomainEvent, Versions};
pub use gs1::{ElementString, InvalidElementString};
pub use gtin::{Gtin, InvalidGtin};
pub use household::{Household, HouseholdPatch, Member, Role, UnknownRole};
pub use ids::{
    CategoryId, HouseholdId, InvalidId, ItemId, NotificationId, ProductId, ProgramTokenId,
    SessionId, ShoppingItemId, StorageLocationId, StoreId, UserId,
};
pub use invisible::without_invisible;
pub use invite::{InvalidInviteCode, InviteCode};
pub use item::{
    Item, ItemDetails, ItemPatch, MergeError, MergeKey, Owner, UnknownInventory, Whose,
    merge_amount,
};
pub use language::{Language, UnknownLanguage};
pub use list::{Expiring, ItemFilter, ItemPosition, ItemSort, SearchTerm, searchable_suffixes};
pub use notification::{
    Acknowledgement, Channel, Notification, NotificationFilter, NotificationKind,
    NotificationPosition, NotificationStatus, NotificationSubject, NotificationTopic, Occasion,
    RESOLVED_LIFETIME, Settlement, UnknownNotificationStatus, affected_topics, first_delivery_at,
    next_fresh_id, notification_id, settle_dates, settle_stock,
};
pub use number::{Number, NumberError};
pub use opening::{NotEnoughToOpen, OpenedItem, Opening};
pub use photo::{InvalidPhotoId, PhotoId, UNUSED_PHOTO_DAYS, unused_photo_expiry};
pub use places::{InvalidSortOrder, SortOrder, StorageLocation, Store};
pub use product::{
    InvalidShelfLife, LeftOpen, Product, ProductDetails, ProductGap, ProductPatch, ShelfLife,
    UsualStep, good_until,
};
pub use product_list::{ProductFilter, ProductPosition, ProductSort};
pub use program_token::{
    InsufficientToken, InvalidTokenScopes, PROGRAM_TOKEN_USE_INTERVAL, ProgramTokenPosition,
    TokenNeed, TokenScope, TokenScopes, UnknownTokenScope,
};
pub use quantity::{Delta, Overflow, Price, Quantity, QuantityError};
pub use reference::{
    CATEGORIES, Category, OTHER_CATEGORY, SEEDED_LOCATIONS, SeededLocation, find_category,
    find_seeded_location,
};
pub use relational::{
    Access, AccessAction, Ascent, AttributeValue, Attributes, AttributesError,
    CollectionMemberRelationship, Deletion, DeletionId, Doomed, Grant, GrantFilter, GrantPosition,
    GrantedActions, InvalidAccessAction, InvalidGrantedActions, InvalidPropertyName,
    InvalidResourceType, InvalidUniqueKeys, InvalidUniqueValue, InvalidUrn, MAX_ATTRIBUTE_BYTES,
    MAX_ATTRIBUTE_DEPTH, MAX_AUTHORIZING_URNS, MAX_UNIQUE_KEYS, MAX_UNIQUE_VALUE_BYTES, NodeFacts,
    ParentChildRelationship, PathStep, PropertyName, Resource, ResourceKind, ResourceType,
    SchemaRegistry, SchemaStep, SchemaVersion, SelfLink, UniqueKey, UniqueKeys, UniqueValue,
    UpcastError, Upcaster, Urn, UrnDomain, UuidV7Sequence, Via,
};
pub use rule::{Described, Rule};
pub use run::{Run, RunStep, Runs};
pub use shopping::{
    InvalidShoppingField, PURCHASED_LIFETIME, ShoppingChange, ShoppingDetails, ShoppingFilter,
    ShoppingItem, ShoppingName, ShoppingNotes, ShoppingPatch, ShoppingPosition, ShoppingQuantity,
    ShoppingStatus, StoreChoice,
};
pub use stock::{
    AllTaken, ConsumeError, Consumed, LowProducts, StockLevel, StockSum, Taken,
    first_to_expire_first, plan_consumption,
};
pub use stock_view::{StockCounts, StockView};
pub use tag::{
    InvalidNonce, InvalidStep, InvalidTapDelta, InvalidUrlId, NfcUrl, TagPatch, TagPosition,
    TagRotation, TagStep, TapDirection, TapNonce, UrlId,
};
pub use telemetry::{
    API_KEY_USE_INTERVAL, ApiKey, ApiKeyHash, ApiKeyId, ApiKeyPosition, ApiKeySecret,
    BATCH_ID_LIFETIME, BatchId, BootId, Bucket, BucketFold, Capabilities, ConfirmationId, Device,
    DeviceHealth, DevicePosition, DeviceRun, HardwareId, InvalidApiKey, InvalidBatchId,
    InvalidCapabilities, InvalidHardwareId, InvalidReadingTime, InvalidSensorStatus,
    InvalidSensorValue, InvalidSensors, InvalidSeries, InvalidUuidV4, LAST_SEEN_INTERVAL,
    PerSensor, Reading, ReadingPosition, ReadingTime, SensorStatus, SensorStatuses, SensorValue,
    Sensors, SeriesSpan, is_activity_worth_noting, whole_seconds,
};
pub use text::{
    DeviceReference, FeatureName, FirmwareVersion, FriendlyName, HouseholdName, ImageUrl, ItemName,
    KeyDescription, KindName, LocationName, Notes, PersonName, SensorName, SessionLabel,
    StoreAddress, StoreName, TagLabel, TextError, TokenName,
};
pub use three_way::Edit;
pub use typed_goods::TypedGoods;
pub use undo::details_before;
pub use unit::Unit;
