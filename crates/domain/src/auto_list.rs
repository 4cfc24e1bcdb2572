//! What goes on the shopping list by itself.

use jiff::Timestamp;

use crate::{
    HouseholdId, Item, Product, ShoppingDetails, ShoppingItem, ShoppingItemId, ShoppingName,
    ShoppingQuantity, ShoppingStatus, StockLevel, UserId,
    entity::{Field, FieldError, FieldSink, FieldSource},
    text,
};

/// Whether what a household runs low on goes on its shopping list by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutoList(pub bool);

impl AutoList {
    /// It does, unless it was switched off.
    pub const ON: Self = Self(true);
    /// It was switched off.
    pub const OFF: Self = Self(false);
}

/// Households from before it could be switched off say nothing.
impl Field for AutoList {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        if *self == Self::ON {
            to.default_flag(name, self.0);
        } else {
            to.flag(name, self.0);
        }
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        Ok(Some(from.flag(name)?.map_or(Self::ON, Self)))
    }
}

/// What to buy of a product that is low.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingStock<'a> {
    product: &'a Product,
    lots: &'a [Item],
    /// The lot that it restocks.
    lot: &'a Item,
    name: ShoppingName,
    /// So many of the lot's unit.
    count: ShoppingQuantity,
}

/// What is missing of a product with these lots. `None` while it is not low, has no desired
/// quantity, or should not go on the list by itself.
pub fn missing_stock<'a>(product: &'a Product, lots: &'a [Item]) -> Option<MissingStock<'a>> {
    let known = &product.details;
    let desired = known.desired_quantity.filter(|_| known.auto_list)?;
    let level = StockLevel::of(known, lots).filter(StockLevel::is_low)?;
    let sized = |lot: &'a Item| Some((lot.details.unit.sizes(&level.unit)?, lot));
    // In the unit of the desired quantity if possible: entries have whole numbers.
    let (_, lot) = lots
        .iter()
        .filter_map(sized)
        .min_by_key(|(sizes, lot)| (sizes.this != sizes.other, lot.created_at, lot.id))?;
    // It is low, so there is something to buy even if less is desired than the threshold.
    let count =
        level.missing_to(desired, &lot.details.unit)?.clamp(1, ShoppingQuantity::MAX.into());
    // Names of products may be longer than those of entries.
    let name: String = known.name.as_str().chars().take(ShoppingName::MAX_CHARS).collect();
    Some(MissingStock {
        product,
        lots,
        lot,
        name: ShoppingName::parse_stored(&name).ok()?,
        count: ShoppingQuantity::new(count).ok()?,
    })
}

impl<'a> MissingStock<'a> {
    /// The lot that it restocks.
    pub const fn lot(&self) -> &'a Item {
        self.lot
    }

    /// Whether this entry already says so: it is to be bought, and restocks a lot of the product or
    /// has its name.
    pub fn is_covered_by(&self, entry: &ShoppingItem) -> bool {
        let is_named = || text::fold(entry.details.name.as_str()) == text::fold(self.name.as_str());
        entry.status == ShoppingStatus::Pending
            && match entry.item {
                Some(item) => self.lots.iter().any(|lot| lot.id == item),
                None => is_named(),
            }
    }

    /// The entry, to be bought in the preferred shop. `by` is the person whose change made it low;
    /// if that was nobody, whoever changed the product or one of its lots last.
    pub fn entry(
        self,
        id: ShoppingItemId,
        household: HouseholdId,
        by: Option<UserId>,
        at: Timestamp,
    ) -> ShoppingItem {
        let by = by.unwrap_or_else(|| self.changed_by());
        let details = ShoppingDetails {
            name: self.name,
            store: self.product.details.preferred_store,
            quantity: Some(self.count),
            notes: None,
        };
        ShoppingItem::new(id, household, Some(self.lot.id), details, by, at)
    }

    fn changed_by(&self) -> UserId {
        let lots = self.lots.iter().map(|lot| (lot.updated_at, lot.updated_by));
        let product = (self.product.updated_at, self.product.updated_by);
        let (_, by) = lots.fold(product, |last, next| if next.0 > last.0 { next } else { last });
        by
    }
}

#[cfg(test)]
mod tests;
