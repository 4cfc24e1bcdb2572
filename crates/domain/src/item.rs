//! Items: entries of the stock.

use std::str::FromStr;

use jiff::Timestamp;
use thiserror::Error;

use crate::{
    CategoryId, ExpirationDate, HouseholdId, ImageUrl, ItemId, ItemName, Notes, OTHER_CATEGORY,
    OpeningDate, PhotoId, Price, ProductId, Quantity, ShelfLife, StorageLocationId, StoreId, Unit,
    UserId,
    entity::{Field, FieldError, FieldSink, FieldSource, details, entity, required},
    find_seeded_location, text,
    three_way::{Edit, Part},
};

/// The owner of an item: a household, or one person in individual mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// All members share it.
    Household(HouseholdId),
    /// Only this person sees it.
    User(UserId),
}

/// One of the two inventories of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whose {
    /// That of their household.
    Household,
    /// Their own.
    Personal,
}

impl Whose {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Household, Self::Personal];

    /// Its name in requests.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Household => "household",
            Self::Personal => "personal",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Household => Self::Personal,
            Self::Personal => Self::Household,
        }
    }
}

/// The refusal of a name that no inventory has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be \"household\" or \"personal\"")]
pub struct UnknownInventory;

impl FromStr for Whose {
    type Err = UnknownInventory;

    fn from_str(name: &str) -> Result<Self, UnknownInventory> {
        Self::ALL.into_iter().find(|whose| whose.as_str() == name).ok_or(UnknownInventory)
    }
}

details! {
    /// The details of an item.
    ItemDetails,
    /// A change of an item's details. The outer `None` leaves a field unchanged; an inner one
    /// clears it. A new unit does not convert the quantity.
    ItemPatch {
        /// Its name.
        name: ItemName = "name",
        /// The quantity in stock.
        quantity: Quantity = "quantity",
        /// The unit of the quantity.
        unit: Unit = "unit",
        /// Its expiration date.
        expiration: Option<ExpirationDate> = "expirationDate",
        /// Its category.
        category: CategoryId = "categoryId",
        /// Its storage location.
        location: Option<StorageLocationId> = "storageLocationId",
        /// A picture.
        image_url: Option<ImageUrl> = "imageUrl",
        /// Notes.
        notes: Option<Notes> = "notes",
        /// The low-stock threshold.
        low_stock_threshold: Option<Quantity> = "lowStockThreshold",
        /// Its preferred shop.
        preferred_store: Option<StoreId> = "preferredStoreId",
        /// When it was opened.
        opened_on: Option<OpeningDate> = "openedOn",
        /// The price paid.
        price_paid: Option<Price> = "pricePaid",
        /// The quantity to have after shopping.
        desired_quantity: Option<Quantity> = "desiredQuantity",
        /// How long it keeps.
        shelf_life: Option<ShelfLife> = "shelfLifeDays",
        /// How long it keeps once it is open.
        opened_shelf_life: Option<ShelfLife> = "openedShelfLifeDays",
        /// The photo of its product.
        photo: Option<PhotoId> = "photo",
    }
}

/// An item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its id.
    pub id: ItemId,
    /// The owner.
    pub owner: Owner,
    /// Its product; `None` in versions from before there were products.
    pub product: Option<ProductId>,
    /// The details.
    pub details: ItemDetails,
    /// The user who added it.
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

/// The identity for merging: name as people read it, and date, where "no date" equals "no date".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MergeKey {
    /// The folded name.
    pub name: String,
    /// The date.
    pub expiration: Option<ExpirationDate>,
}

impl ItemDetails {
    /// Details with only these fields set.
    pub const fn new(name: ItemName, quantity: Quantity, unit: Unit) -> Self {
        Self {
            name,
            quantity,
            unit,
            expiration: None,
            category: OTHER_CATEGORY,
            location: None,
            image_url: None,
            notes: None,
            low_stock_threshold: None,
            preferred_store: None,
            opened_on: None,
            price_paid: None,
            desired_quantity: None,
            shelf_life: None,
            opened_shelf_life: None,
            photo: None,
        }
    }

    /// Another lot of the same product, without the details specific to this one.
    #[must_use]
    pub fn another_lot(self, quantity: Quantity, expiration: Option<ExpirationDate>) -> Self {
        Self { quantity, expiration, notes: None, opened_on: None, price_paid: None, ..self }
    }

    /// The identity for merging.
    pub fn merge_key(&self) -> MergeKey {
        MergeKey { name: text::fold(self.name.as_str()), expiration: self.expiration }
    }

    /// Whether it has run out.
    pub const fn is_depleted(&self) -> bool {
        self.quantity.is_zero()
    }
}

entity! {
    Item {
        id: "id",
        owner: "householdId",
        product: "productId",
        details: "details",
        created_by: "createdBy",
        created_at: "createdAt",
        updated_by: "updatedBy",
        updated_at: "updatedAt",
        version: "version",
    }
}

/// A person's own item has no household, and the person's id.
impl Field for Owner {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        match self {
            Self::Household(household) => household.write(name, to),
            Self::User(user) => {
                to.absent(name);
                user.write("userId", to);
            }
        }
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        match HouseholdId::read(name, from)? {
            Some(household) => Ok(Some(Self::Household(household))),
            None => required("userId", from).map(Self::User).map(Some),
        }
    }
}

impl Item {
    /// A new item. Its product is the one that it makes, unless its name has one.
    pub fn new(id: ItemId, owner: Owner, details: ItemDetails, by: UserId, at: Timestamp) -> Self {
        Self {
            id,
            owner,
            product: Some(ProductId::of_lot(id, 1)),
            details,
            created_by: by,
            created_at: at,
            updated_by: by,
            updated_at: at,
            version: 1,
        }
    }

    /// The item after a change of its details.
    #[must_use]
    pub fn changed(&self, details: ItemDetails, by: UserId, at: Timestamp) -> Self {
        Self { details, updated_by: by, updated_at: at, version: self.version + 1, ..self.clone() }
    }

    /// The item after a move into another inventory. Photos stay where they are, and places of a
    /// household mean nothing to a person.
    #[must_use]
    pub fn moved(&self, owner: Owner, by: UserId, at: Timestamp) -> Self {
        let mut details = ItemDetails { photo: None, ..self.details.clone() };
        let mut created_by = self.created_by;
        if let Owner::User(person) = owner {
            created_by = person;
            details.preferred_store = None;
            details.location = details.location.filter(|id| find_seeded_location(*id).is_some());
        }
        Self { owner, product: None, created_by, ..self.changed(details, by, at) }
    }
}

/// Why two lots of one name and date cannot be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MergeError {
    /// One unit does not convert into the other exactly.
    #[error("the units don't convert into each other exactly")]
    UnitMismatch,
    /// The sum is too large.
    #[error("the quantity would exceed 99999999.99")]
    Overflow,
}

/// The amount to add to an item, in its own unit, when this quantity is merged into it.
pub fn merge_amount(
    existing: &ItemDetails,
    quantity: Quantity,
    unit: &Unit,
) -> Result<Quantity, MergeError> {
    let added = unit.convert(quantity, &existing.unit).ok_or(MergeError::UnitMismatch)?;
    existing.quantity.checked_add(added).map_err(|_| MergeError::Overflow)?;
    Ok(added)
}

impl ItemPatch {
    /// An edit from `base` (`None`: unknown) to `mine`, applied to the current item.
    pub fn of_edit(
        base: Option<&ItemDetails>,
        mine: &ItemDetails,
        theirs: &ItemDetails,
    ) -> Edit<Self> {
        let part = |part: Part| {
            // A quantity and its unit belong together.
            let amount = |details: &ItemDetails| (details.quantity, details.unit.clone());
            let amount = part.take(base.map(amount).as_ref(), &amount(mine), &amount(theirs));
            let (quantity, unit) = amount.unzip();
            // A photo is the product's, and not edited with a lot.
            Self { quantity, unit, photo: None, ..Self::part_of_edit(part, base, mine, theirs) }
        };
        Edit { changes: part(Part::Changes), contested: part(Part::Contested) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn details(name: &str, quantity: &str, unit: &str) -> ItemDetails {
        let (name, unit) = (ItemName::parse(name).unwrap(), Unit::parse(unit).unwrap());
        ItemDetails::new(name, Quantity::parse(quantity).unwrap(), unit)
    }

    #[test]
    fn names_that_people_read_the_same_have_one_key() {
        let keys = [" Milk", "MILK ", "ｍｉｌｋ"].map(|name| details(name, "1", "L").merge_key());
        assert!(keys.iter().all(|key| *key == keys[0]));
    }

    #[test]
    fn another_date_is_another_thing() {
        let mut dated = details("Milk", "1", "L");
        dated.expiration = Some(ExpirationDate::parse("2026-03-01").unwrap());
        assert_ne!(dated.merge_key(), details("Milk", "1", "L").merge_key());
    }

    #[test]
    fn merging_converts_into_the_unit_that_is_there() {
        let flour = details("Flour", "1", "kg");
        let grams = Unit::parse("g").unwrap();
        let add = |quantity: &str| merge_amount(&flour, Quantity::parse(quantity).unwrap(), &grams);
        assert_eq!(add("500"), Quantity::parse("0.5").map_err(|_| MergeError::Overflow));
        assert_eq!(add("5"), Err(MergeError::UnitMismatch));
        let pieces = Unit::parse("個").unwrap();
        assert_eq!(merge_amount(&flour, Quantity::ZERO, &pieces), Err(MergeError::UnitMismatch));
    }

    #[test]
    fn a_merge_over_the_limit_is_an_overflow() {
        let sand = details("Sand", "99999999", "kg");
        let unit = sand.unit.clone();
        assert_eq!(merge_amount(&sand, Quantity::MAX, &unit), Err(MergeError::Overflow));
    }

    #[test]
    fn a_patch_tells_absent_from_clear() {
        let mut rice = details("Rice", "2", "kg");
        rice.notes = Some(Notes::parse("top shelf").unwrap());
        assert_eq!(ItemPatch::default().apply(&rice), rice);
        let cleared = ItemPatch { notes: Some(None), ..ItemPatch::default() }.apply(&rice);
        assert_eq!(cleared.notes, None);
        assert_eq!(cleared.name, rice.name);
        let flour = details("Flour", "1", "kg");
        assert_eq!(ItemPatch::to(flour.clone()).apply(&rice), flour);
    }

    #[test]
    fn another_lot_has_its_own_amount_dates_price_and_notes() {
        let mut milk = details("Milk", "2", "L");
        milk.expiration = ExpirationDate::parse("2026-03-01").ok();
        milk.location = Some(StorageLocationId::fixed(1));
        let first = ItemDetails {
            notes: Notes::parse("smells odd").ok(),
            opened_on: OpeningDate::parse("2026-02-20").ok(),
            price_paid: Price::parse("3.49").ok(),
            ..milk.clone()
        };
        assert_eq!(first.another_lot(milk.quantity, milk.expiration), milk);
        let later = milk.clone().another_lot(Quantity::ONE, None);
        assert_eq!((later.quantity, later.expiration), (Quantity::ONE, None));
        assert_eq!((later.unit, later.location), (milk.unit, milk.location));
    }

    #[test]
    fn an_edit_changes_what_the_person_changed_and_nothing_else() {
        let base = details("Rice", "2", "kg");
        let notes = |text: &str| Some(Notes::parse(text).unwrap());
        let mine = ItemDetails { notes: notes("top shelf"), ..base.clone() };
        let tapped = details("Rice", "1", "kg");
        let edit = ItemPatch::of_edit(Some(&base), &mine, &tapped);
        assert_eq!(edit.contested, ItemPatch::default());
        let expected = ItemDetails { notes: notes("top shelf"), ..tapped.clone() };
        assert_eq!(edit.changes.apply(&tapped), expected);
        let theirs = ItemDetails { notes: notes("in the door"), ..tapped.clone() };
        let edit = ItemPatch::of_edit(Some(&base), &mine, &theirs);
        let contested = ItemPatch { notes: Some(mine.notes), ..ItemPatch::default() };
        assert_eq!((&edit.contested, &edit.changes), (&contested, &contested));
    }

    #[test]
    fn a_number_and_its_unit_are_edited_together() {
        let base = details("Rice", "2", "kg");
        let (mine, theirs) = (details("Rice", "2000", "g"), details("Rice", "1", "kg"));
        let edit = ItemPatch::of_edit(Some(&base), &mine, &theirs);
        assert_eq!(
            (edit.contested.quantity, edit.contested.unit),
            (Some(mine.quantity), Some(mine.unit))
        );
    }

    proptest! {
        #[test]
        fn merging_loses_nothing(there in 0..5_000_000_000_i64, more in 0..4_000_000_000_i64) {
            let mut rice = details("Rice", "0", "kg");
            rice.quantity = Quantity::from_hundredths(there).unwrap();
            let more = Quantity::from_hundredths(more).unwrap();
            let added = merge_amount(&rice, more, &rice.unit).unwrap();
            prop_assert_eq!(rice.quantity.checked_add(added).unwrap().hundredths(), there + more.hundredths());
        }
    }
}
