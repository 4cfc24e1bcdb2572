//! The lots of a product: their sum, what is unknown of the product, and each of them as a row.

use jiff::civil::Date;
use larder_domain::{
    Item, ProductDetails, ProductGap, Quantity, StockLevel, StockSum, StorageLocation, Unit,
};

use crate::{
    Frame, format,
    pages::stock::{
        address_of,
        row::{Badge, badges, unbroken},
    },
};

/// How much there is, or `None` if there is nothing. What does not add up is named by unit.
pub(in crate::pages) fn total(unit: &Unit, lots: &[Item]) -> Option<String> {
    let at_hand = || lots.iter().map(|lot| &lot.details).filter(|lot| !lot.is_depleted());
    at_hand().next()?;
    if let Some(sum) = StockSum::of(unit, at_hand()) {
        return Some(format::amount(sum.quantity(), unit));
    }
    let mut sums: Vec<(&Unit, Quantity)> = Vec::new();
    for lot in at_hand() {
        let known = sums.iter_mut().find_map(|(unit, sum)| {
            let more = lot.unit.convert(lot.quantity, unit)?;
            *sum = sum.checked_add(more).unwrap_or(Quantity::MAX);
            Some(())
        });
        if known.is_none() {
            sums.push((&lot.unit, lot.quantity));
        }
    }
    let sums = sums.into_iter().map(|(unit, sum)| format::amount(sum, unit));
    Some(sums.collect::<Vec<_>>().join(" + "))
}

/// Whether there is less than the threshold.
pub(super) fn is_low(product: &ProductDetails, lots: &[Item]) -> bool {
    StockLevel::of(product, lots).is_some_and(|level| level.is_low())
}

/// What is unknown of a product, as one line; empty if nothing is.
pub(super) fn gaps(frame: &Frame, product: &ProductDetails) -> String {
    let name = |gap| match gap {
        ProductGap::ShelfLife => frame.t("products-gap-shelf-life"),
        ProductGap::Location => frame.t("products-gap-location"),
        ProductGap::Threshold => frame.t("products-gap-threshold"),
        ProductGap::Shop => frame.t("products-gap-shop"),
    };
    let names: Vec<_> = product.gaps().map(name).collect();
    if names.is_empty() {
        return String::new();
    }
    frame.t1("products-gaps", "what", names.join(frame.in_language(", ", "・")))
}

/// A lot on the page of its product.
pub(super) struct LotRow {
    pub(super) id: String,
    pub(super) address: String,
    pub(super) amount: String,
    pub(super) place: String,
    pub(super) badges: Vec<Badge>,
}

impl LotRow {
    pub(super) fn of(frame: &Frame, lot: &Item, own: &[StorageLocation], today: Date) -> Self {
        let details = &lot.details;
        let place = details.location.map(|id| unbroken(&frame.location(id, own)));
        Self {
            id: lot.id.to_string(),
            address: address_of(lot.id),
            amount: format::amount(details.quantity, &details.unit),
            place: place.unwrap_or_default(),
            // Low is what there is of the product together.
            badges: badges(frame, details, today, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::{ItemDetails, ItemId, ItemName, Owner, UserId};

    use super::*;

    fn lot((quantity, unit): (&str, &str)) -> Item {
        let name = ItemName::parse("Milk").unwrap();
        let quantity = Quantity::parse(quantity).unwrap();
        let details = ItemDetails::new(name, quantity, Unit::parse(unit).unwrap());
        let by = UserId::fixed(1);
        Item::new(ItemId::fixed(1), Owner::User(by), details, by, Timestamp::UNIX_EPOCH)
    }

    fn told(lots: &[(&str, &str)]) -> Option<String> {
        let lots: Vec<_> = lots.iter().copied().map(lot).collect();
        total(&Unit::parse("L").unwrap(), &lots)
    }

    #[test]
    fn a_total_is_one_amount_where_units_convert_and_several_where_not() {
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[("0", "L")]), None);
        assert_eq!(told(&[("1", "L"), ("250", "ml"), ("0", "袋")]).as_deref(), Some("1.25 L"));
        let mixed = [("1", "L"), ("2", "袋"), ("500", "ml"), ("1", "袋")];
        assert_eq!(told(&mixed).as_deref(), Some("1.5 L + 3袋"));
    }
}
