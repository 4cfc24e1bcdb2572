//! Rows of `products`: every statement that names the columns of what is known is in this file.

use larder_domain::{
    Barcodes, Gtin, ItemName, Notes, Owner, Product, ProductDetails, Quantity, TagStep, Unit,
    UsualStep,
};
use larder_storage::Result;
use uuid::Uuid;

use crate::{
    failure::Failure,
    ids::{domain_id, uuid},
    items::{days, misfit, photo, shelf_life},
    transaction::Transaction,
    types::Instant,
};

/// A row, with quantities in hundredths.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ProductRow {
    pub(crate) id: Uuid,
    pub(crate) household_id: Option<Uuid>,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) category_id: Uuid,
    pub(crate) storage_location_id: Option<Uuid>,
    pub(crate) preferred_store_id: Option<Uuid>,
    pub(crate) step: Option<i64>,
    pub(crate) shelf_life_days: Option<i32>,
    pub(crate) opened_shelf_life_days: Option<i32>,
    pub(crate) low_stock_threshold: Option<i64>,
    pub(crate) desired_quantity: Option<i64>,
    pub(crate) barcodes: Vec<String>,
    pub(crate) photo: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) auto_list: bool,
    pub(crate) created_by: Uuid,
    pub(crate) created_at: Instant,
    pub(crate) updated_by: Uuid,
    pub(crate) updated_at: Instant,
    pub(crate) version: i64,
}

/// The columns of a [`ProductRow`] for statements that are put together at run time.
pub(crate) const SELECT_PRODUCTS: &str = "SELECT p.id, p.household_id, p.name, p.unit, \
    p.category_id, p.storage_location_id, p.preferred_store_id, (p.step * 100)::bigint AS step, \
    p.shelf_life_days, p.opened_shelf_life_days, \
    (p.low_stock_threshold * 100)::bigint AS low_stock_threshold, \
    (p.desired_quantity * 100)::bigint AS desired_quantity, p.barcodes, p.photo, p.notes, p.auto_list, \
    p.created_by, p.created_at, p.updated_by, p.updated_at, p.version FROM products p ";

/// `query_as!` of [`ProductRow`]s; the product's table is `p`.
macro_rules! query_products {
    ($after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::products::row::ProductRow,
            r#"SELECT p.id, p.household_id, p.name, p.unit, p.category_id, p.storage_location_id,
                p.preferred_store_id, (p.step * 100)::bigint AS step, p.shelf_life_days,
                p.opened_shelf_life_days,
                (p.low_stock_threshold * 100)::bigint AS low_stock_threshold,
                (p.desired_quantity * 100)::bigint AS desired_quantity, p.barcodes, p.photo, p.notes,
                p.auto_list, p.created_by, p.created_at AS "created_at: crate::types::Instant", p.updated_by,
                p.updated_at AS "updated_at: crate::types::Instant", p.version FROM products p "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use query_products;

/// The columns that an update of a product may write: the role that serves has no right to the
/// others.
pub(crate) const UPDATABLE_COLUMNS: &[&str] = &[
    "name",
    "name_folded",
    "unit",
    "category_id",
    "storage_location_id",
    "preferred_store_id",
    "step",
    "shelf_life_days",
    "opened_shelf_life_days",
    "low_stock_threshold",
    "desired_quantity",
    "barcodes",
    "photo",
    "notes",
    "auto_list",
    "updated_at",
    "updated_by",
    "version",
];

impl ProductRow {
    pub(crate) fn into_product(self) -> Result<Product> {
        let record = format!("products {}", self.id);
        let misfit = |column: &'static str| {
            let record = record.clone();
            move |reason: String| misfit(record, column, reason)
        };
        let quantity = |hundredths: Option<i64>, column| {
            let quantity = hundredths.map(Quantity::from_hundredths).transpose();
            quantity.map_err(|e| misfit(column)(e.to_string()))
        };
        let owner = match self.household_id {
            Some(id) => Owner::Household(domain_id(id)),
            None => Owner::User(domain_id(self.created_by)),
        };
        let codes = self.barcodes.iter().map(|code| Gtin::parse(code));
        let codes = codes.collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string());
        let barcodes = codes.and_then(|codes| Barcodes::new(codes).map_err(|e| e.to_string()));
        let notes = self.notes.map(|notes| Notes::parse(&notes)).transpose();
        let step = self.step.map(|step| TagStep::from_hundredths(step).map(UsualStep)).transpose();
        let details = ProductDetails {
            name: ItemName::parse_stored(&self.name).map_err(|e| misfit("name")(e.to_string()))?,
            unit: Unit::parse(&self.unit).map_err(|e| misfit("unit")(e.to_string()))?,
            category: domain_id(self.category_id),
            location: self.storage_location_id.map(domain_id),
            preferred_store: self.preferred_store_id.map(domain_id),
            step: step.map_err(|e| misfit("step")(e.to_string()))?,
            shelf_life: shelf_life(self.shelf_life_days).map_err(misfit("shelf_life_days"))?,
            opened_shelf_life: shelf_life(self.opened_shelf_life_days)
                .map_err(misfit("opened_shelf_life_days"))?,
            low_stock_threshold: quantity(self.low_stock_threshold, "low_stock_threshold")?,
            desired_quantity: quantity(self.desired_quantity, "desired_quantity")?,
            barcodes: barcodes.map_err(misfit("barcodes"))?,
            photo: photo(self.photo.as_deref()).map_err(misfit("photo"))?,
            notes: notes.map_err(|e| misfit("notes")(e.to_string()))?,
            auto_list: self.auto_list,
        };
        Ok(Product {
            id: domain_id(self.id),
            owner,
            details,
            created_by: domain_id(self.created_by),
            created_at: self.created_at.0,
            updated_by: domain_id(self.updated_by),
            updated_at: self.updated_at.0,
            version: u64::try_from(self.version).map_err(|e| misfit("version")(e.to_string()))?,
        })
    }
}

/// What is known of a product as statement parameters.
struct DetailColumns<'a> {
    name: &'a str,
    unit: &'a str,
    category_id: Uuid,
    storage_location_id: Option<Uuid>,
    preferred_store_id: Option<Uuid>,
    step: Option<i64>,
    shelf_life_days: Option<i32>,
    opened_shelf_life_days: Option<i32>,
    low_stock_threshold: Option<i64>,
    desired_quantity: Option<i64>,
    barcodes: Vec<String>,
    photo: Option<String>,
    notes: Option<&'a str>,
    auto_list: bool,
}

impl<'a> DetailColumns<'a> {
    fn of(details: &'a ProductDetails) -> Self {
        let ProductDetails {
            name,
            unit,
            category,
            location,
            preferred_store,
            step,
            shelf_life,
            opened_shelf_life,
            low_stock_threshold,
            desired_quantity,
            barcodes,
            photo,
            notes,
            auto_list,
        } = details;
        Self {
            name: name.as_str(),
            unit: unit.as_str(),
            category_id: uuid(*category),
            storage_location_id: location.map(uuid),
            preferred_store_id: preferred_store.map(uuid),
            step: step.map(|UsualStep(step)| step.hundredths()),
            shelf_life_days: days(*shelf_life),
            opened_shelf_life_days: days(*opened_shelf_life),
            low_stock_threshold: low_stock_threshold.map(Quantity::hundredths),
            desired_quantity: desired_quantity.map(Quantity::hundredths),
            barcodes: barcodes.iter().map(ToString::to_string).collect(),
            photo: photo.map(|photo| photo.to_string()),
            notes: notes.as_ref().map(Notes::as_str),
            auto_list: *auto_list,
        }
    }
}

impl Transaction {
    /// Inserts a product; fails with a conflict if its name was taken meanwhile.
    pub(crate) async fn insert_product(&mut self, product: &Product) -> Result<(), Failure> {
        let details = DetailColumns::of(&product.details);
        let household = match product.owner {
            Owner::Household(household) => Some(uuid(household)),
            Owner::User(_) => None,
        };
        let inserted = sqlx::query!(
            "INSERT INTO products (
                 id, household_id, name, name_folded, unit, category_id, storage_location_id,
                 preferred_store_id, step, shelf_life_days, opened_shelf_life_days,
                 low_stock_threshold, desired_quantity, notes, auto_list, created_by, created_at,
                 updated_by, updated_at, version, barcodes, photo
             ) VALUES (
                 $1, $2, $3, fn_folded_key($4), $5, $6, $7, $8, $9::bigint / 100.0, $10, $11,
                 $12::bigint / 100.0, $13::bigint / 100.0, $14, $15, $16, $17, $18, $19, $20, $21, $22)
             ON CONFLICT DO NOTHING",
            uuid(product.id),
            household,
            details.name,
            product.details.folded_name(),
            details.unit,
            details.category_id,
            details.storage_location_id,
            details.preferred_store_id,
            details.step,
            details.shelf_life_days,
            details.opened_shelf_life_days,
            details.low_stock_threshold,
            details.desired_quantity,
            details.notes,
            details.auto_list,
            uuid(product.created_by),
            Instant(product.created_at) as _,
            uuid(product.updated_by),
            Instant(product.updated_at) as _,
            i64::try_from(product.version).unwrap_or(i64::MAX),
            &details.barcodes,
            details.photo,
        )
        .execute(self)
        .await?;
        if inserted.rows_affected() == 0 {
            return Err(Failure::Conflict("the product was made meanwhile".to_owned()));
        }
        Ok(())
    }

    /// Writes what is known of a product that is locked.
    pub(crate) async fn write_product(&mut self, changed: &Product) -> Result<(), Failure> {
        let details = DetailColumns::of(&changed.details);
        sqlx::query!(
            "UPDATE products
             SET name = $2, name_folded = fn_folded_key($3), unit = $4, category_id = $5,
                 storage_location_id = $6, preferred_store_id = $7, step = $8::bigint / 100.0,
                 shelf_life_days = $9, opened_shelf_life_days = $10,
                 low_stock_threshold = $11::bigint / 100.0,
                 desired_quantity = $12::bigint / 100.0, notes = $13, auto_list = $14,
                 updated_by = $15, updated_at = $16, version = $17, barcodes = $18,
                 photo = $19
             WHERE id = $1",
            uuid(changed.id),
            details.name,
            changed.details.folded_name(),
            details.unit,
            details.category_id,
            details.storage_location_id,
            details.preferred_store_id,
            details.step,
            details.shelf_life_days,
            details.opened_shelf_life_days,
            details.low_stock_threshold,
            details.desired_quantity,
            details.notes,
            details.auto_list,
            uuid(changed.updated_by),
            Instant(changed.updated_at) as _,
            i64::try_from(changed.version).unwrap_or(i64::MAX),
            &details.barcodes,
            details.photo,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
