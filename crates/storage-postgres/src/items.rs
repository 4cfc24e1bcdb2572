//! Rows of `inventory_items`: every statement that names the columns of an item's details is in this file.

use std::fmt::Display;

use larder_domain::{
    ExpirationDate, HouseholdId, ImageUrl, Item, ItemDetails, ItemName, Notes, OpeningDate, Owner,
    PhotoId, Price, Quantity, ShelfLife, Unit,
};
use larder_storage::{Result, Scope, StorageError};
use uuid::Uuid;

use crate::{
    failure::Failure,
    ids::{domain_id, inventory_id, uuid},
    inventory::suffixes,
    transaction::Transaction,
    types::{Day, Instant},
};

/// A row, with quantities and prices in hundredths.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ItemRow {
    pub(crate) id: Uuid,
    pub(crate) household_id: Option<Uuid>,
    pub(crate) name: String,
    pub(crate) quantity: i64,
    pub(crate) unit: String,
    pub(crate) expiration_date: Option<Day>,
    pub(crate) category_id: Uuid,
    pub(crate) storage_location_id: Option<Uuid>,
    pub(crate) image_url: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) low_stock_threshold: Option<i64>,
    pub(crate) preferred_store_id: Option<Uuid>,
    pub(crate) opened_on: Option<Day>,
    pub(crate) price_paid: Option<i64>,
    pub(crate) desired_quantity: Option<i64>,
    pub(crate) shelf_life_days: Option<i32>,
    pub(crate) opened_shelf_life_days: Option<i32>,
    pub(crate) photo: Option<String>,
    pub(crate) product_id: Uuid,
    pub(crate) created_by: Uuid,
    pub(crate) created_at: Instant,
    pub(crate) updated_by: Uuid,
    pub(crate) updated_at: Instant,
    pub(crate) version: i64,
    /// The quantity before the statement, if the statement returns it.
    #[sqlx(default)]
    pub(crate) old_quantity: Option<i64>,
}

/// The columns of an [`ItemRow`] for statements that are put together at run time.
pub(crate) const SELECT_ITEMS: &str = "SELECT i.id, i.household_id, i.name, (i.quantity * 100)::bigint AS quantity, \
    i.unit, i.expiration_date, i.category_id, i.storage_location_id, i.image_url, i.notes, \
    (i.low_stock_threshold * 100)::bigint AS low_stock_threshold, i.preferred_store_id, i.opened_on, \
    (i.price_paid * 100)::bigint AS price_paid, \
    (i.desired_quantity * 100)::bigint AS desired_quantity, i.shelf_life_days, \
    i.opened_shelf_life_days, i.photo, i.product_id, i.created_by, i.created_at, i.updated_by, i.updated_at, i.version FROM inventory_items i ";

/// `query_as!` with the columns of an [`ItemRow`] between two pieces of SQL; the item's table is `i`.
macro_rules! query_items {
    ($before:literal $(+ $more:literal)*, $after:literal $(, $argument:expr)* $(,)?) => {
        $crate::items::query_item_rows!("NULL::bigint", $before $(+ $more)*, $after $(, $argument)*)
    };
}

/// The same for a statement that has the row from before it as `before`.
macro_rules! query_items_with_old_quantity {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        $crate::items::query_item_rows!(
            "(before.quantity * 100)::bigint", $before, $after $(, $argument)*
        )
    };
}

macro_rules! query_item_rows {
    ($old_quantity:literal, $before:literal $(+ $more:literal)*, $after:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            $crate::items::ItemRow,
            $before $(+ $more)*
                + r#" i.id AS "id!", i.household_id AS "household_id?", i.name AS "name!",
                (i.quantity * 100)::bigint AS "quantity!", i.unit AS "unit!",
                i.expiration_date AS "expiration_date?: crate::types::Day",
                i.category_id AS "category_id!", i.storage_location_id AS "storage_location_id?",
                i.image_url AS "image_url?", i.notes AS "notes?",
                (i.low_stock_threshold * 100)::bigint AS "low_stock_threshold?",
                i.preferred_store_id AS "preferred_store_id?",
                i.opened_on AS "opened_on?: crate::types::Day",
                (i.price_paid * 100)::bigint AS "price_paid?",
                (i.desired_quantity * 100)::bigint AS "desired_quantity?",
                i.shelf_life_days AS "shelf_life_days?",
                i.opened_shelf_life_days AS "opened_shelf_life_days?", i.photo AS "photo?",
                i.product_id AS "product_id!", i.created_by AS "created_by!",
                i.created_at AS "created_at!: crate::types::Instant",
                i.updated_by AS "updated_by!",
                i.updated_at AS "updated_at!: crate::types::Instant", i.version AS "version!", "#
                + $old_quantity
                + r#" AS "old_quantity?" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use {query_item_rows, query_items, query_items_with_old_quantity};

/// The owner, as columns: exactly one is `NULL`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnerColumns {
    /// The household of shared items.
    pub(crate) household: Option<Uuid>,
    /// The owner of personal ones.
    pub(crate) person: Option<Uuid>,
}

impl OwnerColumns {
    pub(crate) fn of(scope: Scope) -> Self {
        match scope.owner() {
            Owner::Household(household) => Self::of_household(household),
            Owner::User(user) => Self { household: None, person: Some(uuid(user)) },
        }
    }

    pub(crate) fn of_household(household: HouseholdId) -> Self {
        Self { household: Some(uuid(household)), person: None }
    }
}

/// A column with a value that Larder cannot have written.
pub(crate) fn misfit(record: impl Display, column: &str, reason: impl Display) -> StorageError {
    StorageError::Corrupt { record: record.to_string(), reason: format!("{column} {reason}") }
}

impl ItemRow {
    pub(crate) fn into_item(self) -> Result<Item> {
        let record = format!("inventory_items {}", self.id);
        let misfit = |column: &'static str| {
            let record = record.clone();
            move |reason: String| misfit(record, column, reason)
        };
        let quantity = |hundredths, column| {
            Quantity::from_hundredths(hundredths).map_err(|e| misfit(column)(e.to_string()))
        };
        let owner = match self.household_id {
            Some(id) => Owner::Household(domain_id(id)),
            None => Owner::User(domain_id(self.created_by)),
        };
        let expiration = |day: Day| ExpirationDate::parse(&day.0.to_string());
        let opening = |day: Day| OpeningDate::parse(&day.0.to_string());
        let details = ItemDetails {
            name: ItemName::parse_stored(&self.name).map_err(|e| misfit("name")(e.to_string()))?,
            quantity: quantity(self.quantity, "quantity")?,
            unit: Unit::parse(&self.unit).map_err(|e| misfit("unit")(e.to_string()))?,
            expiration: self
                .expiration_date
                .map(expiration)
                .transpose()
                .map_err(|e| misfit("expiration_date")(e.to_string()))?,
            category: domain_id(self.category_id),
            location: self.storage_location_id.map(domain_id),
            image_url: self
                .image_url
                .map(|url| ImageUrl::parse(&url))
                .transpose()
                .map_err(|e| misfit("image_url")(e.to_string()))?,
            notes: self
                .notes
                .map(|notes| Notes::parse(&notes))
                .transpose()
                .map_err(|e| misfit("notes")(e.to_string()))?,
            low_stock_threshold: self
                .low_stock_threshold
                .map(|hundredths| quantity(hundredths, "low_stock_threshold"))
                .transpose()?,
            preferred_store: self.preferred_store_id.map(domain_id),
            opened_on: self
                .opened_on
                .map(opening)
                .transpose()
                .map_err(|e| misfit("opened_on")(e.to_string()))?,
            price_paid: self
                .price_paid
                .map(Price::from_hundredths)
                .transpose()
                .map_err(|e| misfit("price_paid")(e.to_string()))?,
            desired_quantity: self
                .desired_quantity
                .map(|hundredths| quantity(hundredths, "desired_quantity"))
                .transpose()?,
            shelf_life: shelf_life(self.shelf_life_days).map_err(misfit("shelf_life_days"))?,
            opened_shelf_life: shelf_life(self.opened_shelf_life_days)
                .map_err(misfit("opened_shelf_life_days"))?,
            photo: photo(self.photo.as_deref()).map_err(misfit("photo"))?,
        };
        Ok(Item {
            id: domain_id(self.id),
            owner,
            product: Some(domain_id(self.product_id)),
            details,
            created_by: domain_id(self.created_by),
            created_at: self.created_at.0,
            updated_by: domain_id(self.updated_by),
            updated_at: self.updated_at.0,
            version: u64::try_from(self.version).map_err(|e| misfit("version")(e.to_string()))?,
        })
    }
}

/// A column of days.
pub(crate) fn shelf_life(days: Option<i32>) -> Result<Option<ShelfLife>, String> {
    let life = |days: i32| ShelfLife::from_days(u64::try_from(days).unwrap_or(0));
    days.map(life).transpose().map_err(|error| error.to_string())
}

/// A column with the address of a photo.
pub(crate) fn photo(id: Option<&str>) -> Result<Option<PhotoId>, String> {
    id.map(PhotoId::parse).transpose().map_err(|error| error.to_string())
}

/// A shelf life as its column.
pub(crate) fn days(life: Option<ShelfLife>) -> Option<i32> {
    life.map(|life| i32::from(life.days()))
}

/// The columns that an update of an item may write: the role that serves has no right to the others.
pub(crate) const UPDATABLE_COLUMNS: &[&str] = &[
    "name",
    "name_folded",
    "quantity",
    "unit",
    "expiration_date",
    "category_id",
    "storage_location_id",
    "image_url",
    "notes",
    "low_stock_threshold",
    "preferred_store_id",
    "opened_on",
    "price_paid",
    "desired_quantity",
    "shelf_life_days",
    "opened_shelf_life_days",
    "photo",
    "product_id",
    "updated_at",
    "updated_by",
    "version",
];

/// An item's details as statement parameters.
struct DetailColumns<'a> {
    name: &'a str,
    quantity: i64,
    unit: &'a str,
    expiration_date: Option<Day>,
    category_id: Uuid,
    storage_location_id: Option<Uuid>,
    image_url: Option<&'a str>,
    notes: Option<&'a str>,
    low_stock_threshold: Option<i64>,
    preferred_store_id: Option<Uuid>,
    opened_on: Option<Day>,
    price_paid: Option<i64>,
    desired_quantity: Option<i64>,
    shelf_life_days: Option<i32>,
    opened_shelf_life_days: Option<i32>,
    photo: Option<String>,
}

impl<'a> DetailColumns<'a> {
    fn of(details: &'a ItemDetails) -> Self {
        let ItemDetails {
            name,
            quantity,
            unit,
            expiration,
            category,
            location,
            image_url,
            notes,
            low_stock_threshold,
            preferred_store,
            opened_on,
            price_paid,
            desired_quantity,
            shelf_life,
            opened_shelf_life,
            photo,
        } = details;
        Self {
            name: name.as_str(),
            quantity: quantity.hundredths(),
            unit: unit.as_str(),
            expiration_date: expiration.map(|date| Day(date.date())),
            category_id: uuid(*category),
            storage_location_id: location.map(uuid),
            image_url: image_url.as_ref().map(ImageUrl::as_str),
            notes: notes.as_ref().map(Notes::as_str),
            low_stock_threshold: low_stock_threshold.map(Quantity::hundredths),
            preferred_store_id: preferred_store.map(uuid),
            opened_on: opened_on.map(|date| Day(date.date())),
            price_paid: price_paid.map(Price::hundredths),
            desired_quantity: desired_quantity.map(Quantity::hundredths),
            shelf_life_days: days(*shelf_life),
            opened_shelf_life_days: days(*opened_shelf_life),
            photo: photo.map(|photo| photo.to_string()),
        }
    }
}

/// Inserts an item with its search suffixes, unless there is one of its name and date.
macro_rules! insert_item {
    ($inventory:expr, $household:expr, $item:expr, $details:expr, $folded_name:expr) => {
        query_items!(
            "WITH item AS (
                 INSERT INTO inventory_items AS i (
                     id, household_id, name, name_folded, quantity, unit, expiration_date,
                     category_id, storage_location_id, image_url, notes, low_stock_threshold,
                     preferred_store_id, created_by, created_at, updated_by, updated_at, version,
                     opened_on, price_paid, desired_quantity, shelf_life_days,
                     opened_shelf_life_days, product_id, photo
                 ) VALUES (
                     $1, $2, $3, fn_folded_key($4), $5::bigint / 100.0, $6, $7,
                     $8, $9, $10, $11, $12::bigint / 100.0,
                     $13, $14, $15, $16, $17, $18,
                     $21, $22::bigint / 100.0, $23::bigint / 100.0, $24, $25, $26, $27
                 )
                 ON CONFLICT DO NOTHING
                 RETURNING i.*
             ), words AS (
                 INSERT INTO inventory_item_words (inventory_id, suffix, item_id)
                 SELECT $19, suffix, item.id FROM item, unnest($20::text[]) AS suffix
             )
             SELECT",
            "FROM item i",
            uuid($item.id),
            $household,
            $details.name,
            $folded_name,
            $details.quantity,
            $details.unit,
            $details.expiration_date as _,
            $details.category_id,
            $details.storage_location_id,
            $details.image_url,
            $details.notes,
            $details.low_stock_threshold,
            $details.preferred_store_id,
            uuid($item.created_by),
            Instant($item.created_at) as _,
            uuid($item.updated_by),
            Instant($item.updated_at) as _,
            i64::try_from($item.version).unwrap_or(i64::MAX),
            $inventory,
            &suffixes($folded_name),
            $details.opened_on as _,
            $details.price_paid,
            $details.desired_quantity,
            $details.shelf_life_days,
            $details.opened_shelf_life_days,
            $item.product.map(uuid),
            $details.photo,
        )
    };
}

impl Transaction {
    /// The inserted item; `None` if there is one of its name and date.
    pub(crate) async fn insert(
        &mut self,
        scope: Scope,
        item: &Item,
    ) -> Result<Option<ItemRow>, Failure> {
        let inventory = inventory_id(scope.owner());
        let household = OwnerColumns::of(scope).household;
        let details = DetailColumns::of(&item.details);
        let folded_name = &item.details.merge_key().name;
        let row = insert_item!(inventory, household, item, details, folded_name);
        Ok(row.fetch_optional(self).await?)
    }

    /// Writes all details of an item that is locked.
    pub(crate) async fn write_details(&mut self, changed: &Item) -> Result<ItemRow, Failure> {
        let details = DetailColumns::of(&changed.details);
        let row = query_items!(
            "UPDATE inventory_items i
             SET name = $2, name_folded = fn_folded_key($3), quantity = $4::bigint / 100.0, unit = $5,
                 expiration_date = $6, category_id = $7, storage_location_id = $8,
                 image_url = $9, notes = $10, low_stock_threshold = $11::bigint / 100.0,
                 preferred_store_id = $12, updated_by = $13, updated_at = $14, version = $15,
                 opened_on = $16, price_paid = $17::bigint / 100.0,
                 desired_quantity = $18::bigint / 100.0, shelf_life_days = $19,
                 opened_shelf_life_days = $20, product_id = $21, photo = $22
             WHERE i.id = $1
             RETURNING",
            "",
            uuid(changed.id),
            details.name,
            changed.details.merge_key().name,
            details.quantity,
            details.unit,
            details.expiration_date as _,
            details.category_id,
            details.storage_location_id,
            details.image_url,
            details.notes,
            details.low_stock_threshold,
            details.preferred_store_id,
            uuid(changed.updated_by),
            Instant(changed.updated_at) as _,
            i64::try_from(changed.version).unwrap_or(i64::MAX),
            details.opened_on as _,
            details.price_paid,
            details.desired_quantity,
            details.shelf_life_days,
            details.opened_shelf_life_days,
            changed.product.map(uuid),
            details.photo,
        );
        Ok(row.fetch_one(self).await?)
    }
}
