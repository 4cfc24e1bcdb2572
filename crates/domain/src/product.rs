//! Products: what a family knows of a name. An item is a lot of one.

use jiff::{Span, Timestamp, civil::Date};
use thiserror::Error;

use crate::{
    Barcodes, CategoryId, ExpirationDate, InvalidBarcodes, Item, ItemDetails, ItemId, ItemName,
    Notes, OpeningDate, Owner, PhotoId, ProductId, Quantity, StorageLocationId, StoreId, TagStep,
    Unit, UserId,
    entity::{details, entity, field},
    find_seeded_location, text,
    three_way::{Edit, Part},
};

/// How many days something keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShelfLife(u16);

/// The number is no shelf life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a whole number of days from 1 to 36500")]
pub struct InvalidShelfLife;

impl ShelfLife {
    /// The longest: a hundred years.
    pub const MAX_DAYS: u16 = 36_500;

    /// A shelf life of so many days.
    pub fn from_days(days: u64) -> Result<Self, InvalidShelfLife> {
        let days = u16::try_from(days).map_err(|_| InvalidShelfLife)?;
        if (1..=Self::MAX_DAYS).contains(&days) { Ok(Self(days)) } else { Err(InvalidShelfLife) }
    }

    /// Reads a whole number of days.
    pub fn parse(text: &str) -> Result<Self, InvalidShelfLife> {
        Self::from_days(text.parse().map_err(|_| InvalidShelfLife)?)
    }

    /// Its days.
    pub const fn days(self) -> u16 {
        self.0
    }

    /// The last day of something that begins on this one; `None` after the last year of dates.
    pub fn end(self, begin: Date) -> Option<ExpirationDate> {
        let end = begin.checked_add(Span::new().days(self.0)).ok()?;
        ExpirationDate::parse(&end.to_string()).ok()
    }
}

/// The step of new tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UsualStep(pub TagStep);

field! {
    UsualStep: hundredths(
        |step| step.0.hundredths(),
        |hundredths: &i64| TagStep::from_hundredths(*hundredths).map(Self)
    )
}

field! { ShelfLife: count(|life| u64::from(life.0), |days: &u64| Self::from_days(*days)) }

details! {
    /// What is known of a product.
    ProductDetails,
    /// A change of what is known. The outer `None` leaves a field unchanged; an inner one clears
    /// it.
    ProductPatch {
        /// Its name, which all of its lots have.
        name: ItemName = "name",
        /// The unit of its sums, its threshold and its desired quantity.
        unit: Unit = "unit",
        /// Its category.
        category: CategoryId = "categoryId",
        /// Its usual storage location.
        location: Option<StorageLocationId> = "storageLocationId",
        /// Its preferred shop.
        preferred_store: Option<StoreId> = "preferredStoreId",
        /// How much a tap takes or puts back on a new tag.
        step: Option<UsualStep> = "step",
        /// How long it keeps.
        shelf_life: Option<ShelfLife> = "shelfLifeDays",
        /// How long it keeps once it is open.
        opened_shelf_life: Option<ShelfLife> = "openedShelfLifeDays",
        /// The low-stock threshold.
        low_stock_threshold: Option<Quantity> = "lowStockThreshold",
        /// The quantity to have after shopping.
        desired_quantity: Option<Quantity> = "desiredQuantity",
        /// Its barcodes, which no other product of the inventory has.
        barcodes: Barcodes = "barcodes",
        /// Its photo.
        photo: Option<PhotoId> = "photo",
        /// Notes.
        notes: Option<Notes> = "notes",
        /// Whether it may go on the shopping list by itself.
        auto_list: bool = "autoList",
    }
}

/// Something useful that is unknown about a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductGap {
    /// How long it keeps: what is bought gets no date.
    ShelfLife,
    /// Where it usually goes.
    Location,
    /// When it is low.
    Threshold,
    /// Where it is bought.
    Shop,
}

/// A product: one per inventory and folded name. Made with its first lot, and kept after its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// Its id.
    pub id: ProductId,
    /// The owner.
    pub owner: Owner,
    /// What is known of it.
    pub details: ProductDetails,
    /// The user who added its first lot.
    pub created_by: UserId,
    /// When it was added.
    pub created_at: Timestamp,
    /// The user who changed it last.
    pub updated_by: UserId,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Counts its changes, from 1.
    pub version: u64,
}

entity! {
    Product {
        id: "id",
        owner: "householdId",
        details: "details",
        created_by: "createdBy",
        created_at: "createdAt",
        updated_by: "updatedBy",
        updated_at: "updatedAt",
        version: "version",
    }
}

impl ProductId {
    /// The id of the product that this version of a lot makes. Derived, so that every engine and
    /// every repetition gives the same: a lot makes a product when it is new or renamed, so each
    /// version of it makes at most one.
    pub fn of_lot(lot: ItemId, version: u64) -> Self {
        let mut bytes = *lot.as_bytes();
        let serial = version.saturating_sub(1).to_be_bytes();
        // The first six bytes of a UUID are random; its version follows.
        for (byte, serial) in bytes[..6].iter_mut().rev().zip(serial.iter().rev()) {
            *byte ^= serial;
        }
        Self::from_bytes(bytes)
    }

    /// The lot that made the product, if the lot was new then, as nearly all are.
    pub const fn first_lot(self) -> ItemId {
        ItemId::from_bytes(*self.as_bytes())
    }
}

impl ProductPatch {
    /// An edit from `base` (`None`: unknown) to `mine`, applied to the current product.
    pub fn of_edit(
        base: Option<&ProductDetails>,
        mine: &ProductDetails,
        theirs: &ProductDetails,
    ) -> Edit<Self> {
        let part = |part: Part| Self::part_of_edit(part, base, mine, theirs);
        Edit { changes: part(Part::Changes), contested: part(Part::Contested) }
    }
}

impl Product {
    /// The product that a lot makes whose name is new.
    pub fn of_lot(lot: &Item) -> Self {
        Self {
            id: ProductId::of_lot(lot.id, lot.version),
            owner: lot.owner,
            details: ProductDetails::of_lot(&lot.details),
            created_by: lot.updated_by,
            created_at: lot.updated_at,
            updated_by: lot.updated_by,
            updated_at: lot.updated_at,
            version: 1,
        }
    }

    /// The product after a change of what is known.
    #[must_use]
    pub fn changed(&self, details: ProductDetails, by: UserId, at: Timestamp) -> Self {
        Self { details, updated_by: by, updated_at: at, version: self.version + 1, ..self.clone() }
    }
}

impl ProductDetails {
    /// What the first lot of a name tells about it.
    pub fn of_lot(lot: &ItemDetails) -> Self {
        Self {
            name: lot.name.clone(),
            unit: lot.unit.clone(),
            category: lot.category,
            location: lot.location,
            preferred_store: lot.preferred_store,
            step: None,
            shelf_life: lot.shelf_life,
            opened_shelf_life: lot.opened_shelf_life,
            low_stock_threshold: lot.low_stock_threshold,
            desired_quantity: lot.desired_quantity,
            barcodes: Barcodes::default(),
            photo: None,
            notes: None,
            auto_list: true,
        }
    }

    /// A lot of nothing, with all that is known.
    #[must_use]
    pub fn empty_lot(&self) -> ItemDetails {
        let lot = ItemDetails::new(self.name.clone(), Quantity::ZERO, self.unit.clone());
        ItemDetails { category: self.category, location: self.location, ..lot }.of_product(self)
    }

    /// The identity of a product in its inventory.
    pub fn folded_name(&self) -> String {
        text::fold(self.name.as_str())
    }

    /// What is unknown of it, the most useful first.
    pub fn gaps(&self) -> impl Iterator<Item = ProductGap> {
        let gaps = [
            self.shelf_life.is_none().then_some(ProductGap::ShelfLife),
            self.location.is_none().then_some(ProductGap::Location),
            self.low_stock_threshold.is_none().then_some(ProductGap::Threshold),
            self.preferred_store.is_none().then_some(ProductGap::Shop),
        ];
        gaps.into_iter().flatten()
    }

    /// What is known after a lot was written: what the lot says of the product where it differs
    /// from before, and for a new lot (`before` is `None`) whatever it says. The name is not
    /// learned: a lot of another name is one of another product.
    #[must_use]
    pub fn learned(&self, before: Option<&ItemDetails>, after: &ItemDetails) -> Self {
        fn learn<T: PartialEq>(
            known: Option<T>,
            before: Option<&ItemDetails>,
            after: &ItemDetails,
            field: impl Fn(&ItemDetails) -> Option<T>,
        ) -> Option<T> {
            match before.map(&field) {
                None => field(after).or(known),
                Some(before) if before == field(after) => known,
                Some(_) => field(after),
            }
        }
        Self {
            preferred_store: learn(self.preferred_store, before, after, |lot| lot.preferred_store),
            shelf_life: learn(self.shelf_life, before, after, |lot| lot.shelf_life),
            opened_shelf_life: learn(self.opened_shelf_life, before, after, |lot| {
                lot.opened_shelf_life
            }),
            low_stock_threshold: learn(self.low_stock_threshold, before, after, |lot| {
                lot.low_stock_threshold
            }),
            desired_quantity: learn(self.desired_quantity, before, after, |lot| {
                lot.desired_quantity
            }),
            // Only undoing changes it through a lot; a new one has it from elsewhere.
            photo: match before {
                Some(before) if before.photo != after.photo => after.photo,
                _ => self.photo,
            },
            ..self.clone()
        }
    }

    /// Whether a lot is told the same.
    pub fn tells_lots_the_same(&self, other: &Self) -> bool {
        let told = |details: &Self| {
            (
                details.name.clone(),
                details.preferred_store,
                details.low_stock_threshold,
                details.desired_quantity,
                details.shelf_life,
                details.opened_shelf_life,
                details.photo,
            )
        };
        told(self) == told(other)
    }

    /// What is known after another product was joined to this one: this one's knowledge first,
    /// and the barcodes of both.
    pub fn joined(&self, other: &Self) -> Result<Self, InvalidBarcodes> {
        Ok(Self {
            location: self.location.or(other.location),
            preferred_store: self.preferred_store.or(other.preferred_store),
            step: self.step.or(other.step),
            shelf_life: self.shelf_life.or(other.shelf_life),
            opened_shelf_life: self.opened_shelf_life.or(other.opened_shelf_life),
            low_stock_threshold: self.low_stock_threshold.or(other.low_stock_threshold),
            desired_quantity: self.desired_quantity.or(other.desired_quantity),
            barcodes: self.barcodes.with(other.barcodes.iter().copied())?,
            photo: self.photo.or(other.photo),
            notes: self.notes.clone().or_else(|| other.notes.clone()),
            ..self.clone()
        })
    }

    /// What another product of the same inventory knows too: no barcode is that of two, and a
    /// photo shows the one.
    #[must_use]
    pub fn for_another_product(self) -> Self {
        Self { barcodes: Barcodes::default(), photo: None, ..self }
    }

    /// What a product of another inventory knows of it when a lot moves there. Photos stay where
    /// they are, and places of a household mean nothing to a person.
    #[must_use]
    pub fn for_inventory(self, owner: Owner) -> Self {
        let known = Self { photo: None, ..self };
        match owner {
            Owner::Household(_) => known,
            Owner::User(_) => Self {
                preferred_store: None,
                location: known.location.filter(|id| find_seeded_location(*id).is_some()),
                ..known
            },
        }
    }
}

/// What a person left open about a new lot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOpen {
    /// The expiration date.
    pub expiration: bool,
    /// The category.
    pub category: bool,
    /// The storage location.
    pub location: bool,
}

impl ProductPatch {
    /// What a person tells about a product by adding a lot of it: where it goes, what it is, and how
    /// long it keeps from this day on.
    pub fn of_lot(lot: &ItemDetails, today: Date) -> Self {
        let days = lot.expiration.map(|until| (until.date() - today).get_days());
        let days = days.and_then(|days| u64::try_from(days).ok());
        let shelf_life = days.and_then(|days| ShelfLife::from_days(days).ok());
        Self {
            category: Some(lot.category),
            location: Some(lot.location),
            shelf_life: shelf_life.map(Some),
            ..Self::default()
        }
    }
}

impl ItemDetails {
    /// The details with what the product says. A lot carries it too, so that a list, a feed or a
    /// history needs to read nothing else.
    #[must_use]
    pub fn of_product(self, product: &ProductDetails) -> Self {
        Self {
            name: product.name.clone(),
            preferred_store: product.preferred_store,
            low_stock_threshold: product.low_stock_threshold,
            desired_quantity: product.desired_quantity,
            shelf_life: product.shelf_life,
            opened_shelf_life: product.opened_shelf_life,
            photo: product.photo,
            ..self
        }
    }

    /// The details of a new lot with what its product knows of that which a person left open.
    #[must_use]
    pub fn filled_in(self, open: LeftOpen, product: &ProductDetails, today: Date) -> Self {
        let LeftOpen { expiration, category, location } = open;
        let until = || product.shelf_life.and_then(|life| life.end(today));
        Self {
            expiration: if expiration { until() } else { self.expiration },
            category: if category { product.category } else { self.category },
            location: if location { product.location } else { self.location },
            ..self
        }
    }

    /// The day that counts: the expiration date, or an earlier one because the lot is open.
    pub fn good_until(&self) -> Option<ExpirationDate> {
        good_until(self.expiration, self.opened_on, self.opened_shelf_life)
    }
}

/// The day that counts for a lot with this date, this day of opening and this shelf life once open.
pub fn good_until(
    expiration: Option<ExpirationDate>,
    opened_on: Option<OpeningDate>,
    opened_shelf_life: Option<ShelfLife>,
) -> Option<ExpirationDate> {
    let opened = opened_on.zip(opened_shelf_life);
    let opened_end = opened.and_then(|(opened, life)| life.end(opened.date()));
    [expiration, opened_end].into_iter().flatten().min()
}

#[cfg(test)]
mod tests;
