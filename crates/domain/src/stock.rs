//! The lots of one product together: their sum, and taking from them.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
    fmt,
};

use thiserror::Error;

use crate::{
    InvalidId, Item, ItemDetails, ItemId, Product, ProductDetails, ProductId, Quantity, Unit,
    entity::{entity, field},
    unit::Sizes,
};

/// The sum of lots. Exact also where a unit cannot show it with two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockSum {
    /// In hundredths of the unit, times `scale`.
    scaled: i128,
    scale: i128,
}

impl StockSum {
    /// The scale of every sum: a multiple of the size of every unit.
    const SCALE: i128 = 1000;

    /// The sum of nothing.
    pub(crate) const ZERO: Self = Self { scaled: 0, scale: Self::SCALE };

    /// The sum of these lots in a unit; `None` if one that is not empty does not convert.
    pub fn of<'a>(unit: &Unit, lots: impl IntoIterator<Item = &'a ItemDetails>) -> Option<Self> {
        let mut scaled = 0;
        for lot in lots.into_iter().filter(|lot| !lot.is_depleted()) {
            let Sizes { this, other } = lot.unit.sizes(unit)?;
            let hundredths = i128::from(lot.quantity.hundredths());
            scaled += hundredths * i128::from(this) * (Self::SCALE / i128::from(other));
        }
        Some(Self { scaled, scale: Self::SCALE })
    }

    /// The quantity, rounded down to two decimals, and at most the largest.
    pub fn quantity(self) -> Quantity {
        let hundredths = i64::try_from(self.scaled / self.scale).unwrap_or(i64::MAX);
        Quantity::from_hundredths(hundredths).unwrap_or(Quantity::MAX)
    }

    /// The sum of both.
    #[must_use]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { scaled: self.scaled + other.scaled, ..self }
    }

    /// What is left of it without the other; 0 if that is more.
    #[must_use]
    pub(crate) const fn without(self, other: Self) -> Self {
        let rest = self.scaled - other.scaled;
        Self { scaled: if rest < 0 { 0 } else { rest }, ..self }
    }

    /// Whether it is less than this.
    pub fn is_below(self, threshold: Quantity) -> bool {
        self.scaled < i128::from(threshold.hundredths()) * self.scale
    }
}

/// How much there is of a product with a threshold, counted in one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockLevel {
    sum: StockSum,
    /// The threshold.
    pub threshold: Quantity,
    /// The unit of both: the product's, or if no lot converts into that, the oldest lot's.
    pub unit: Unit,
}

impl StockLevel {
    /// The level of a product with these lots; `None` without a threshold or without lots. Lots that
    /// do not convert are not counted.
    pub fn of<'a, I>(product: &ProductDetails, lots: I) -> Option<Self>
    where
        I: IntoIterator<Item = &'a Item, IntoIter: Clone>,
    {
        let threshold = product.low_stock_threshold?;
        let lots = lots.into_iter();
        let oldest = lots.clone().min_by_key(|lot| (lot.created_at, lot.id))?;
        let counts = |unit: &Unit| lots.clone().any(|lot| lot.details.unit.sizes(unit).is_some());
        let unit = if counts(&product.unit) { &product.unit } else { &oldest.details.unit };
        let counted = lots.filter(|lot| lot.details.unit.sizes(unit).is_some());
        let sum = StockSum::of(unit, counted.map(|lot| &lot.details))?;
        Some(Self { sum, threshold, unit: unit.clone() })
    }

    /// The sum, rounded down to two decimals.
    pub fn quantity(&self) -> Quantity {
        self.sum.quantity()
    }

    /// How much is missing to this quantity of the level's unit, in another unit and rounded up to
    /// a whole number; 0 if nothing is, `None` if the units do not convert.
    pub(crate) fn missing_to(&self, desired: Quantity, unit: &Unit) -> Option<u64> {
        let Sizes { this, other } = self.unit.sizes(unit)?;
        let scaled = i128::from(desired.hundredths()) * self.sum.scale - self.sum.scaled;
        let missing = u128::try_from(scaled * i128::from(this)).unwrap_or(0);
        let whole = u128::try_from(100 * self.sum.scale * i128::from(other)).ok()?;
        Some(u64::try_from(missing.div_ceil(whole)).unwrap_or(u64::MAX))
    }

    /// Whether it is below the threshold.
    pub fn is_low(&self) -> bool {
        self.sum.is_below(self.threshold)
    }
}

/// The products of an inventory whose stock is low.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LowProducts(HashSet<ProductId>);

impl LowProducts {
    /// Those of these products, with all lots of at least those that have a threshold.
    pub fn of<'a>(
        products: impl IntoIterator<Item = &'a Product>,
        lots: impl IntoIterator<Item = &'a Item>,
    ) -> Self {
        let mut by_product: HashMap<ProductId, Vec<&Item>> = HashMap::new();
        for lot in lots.into_iter().filter(|lot| lot.details.low_stock_threshold.is_some()) {
            if let Some(product) = lot.product {
                by_product.entry(product).or_default().push(lot);
            }
        }
        let is_low = |product: &&Product| {
            let lots = by_product.get(&product.id);
            let lots = lots.into_iter().flatten().copied();
            StockLevel::of(&product.details, lots).is_some_and(|level| level.is_low())
        };
        Self(products.into_iter().filter(is_low).map(|product| product.id).collect())
    }

    /// Whether the item is a lot of one of them.
    pub fn has(&self, item: &Item) -> bool {
        item.product.is_some_and(|product| self.0.contains(&product))
    }

    /// Their ids, in no order.
    pub fn ids(&self) -> impl Iterator<Item = ProductId> {
        self.0.iter().copied()
    }
}

impl FromIterator<ProductId> for LowProducts {
    fn from_iter<I: IntoIterator<Item = ProductId>>(ids: I) -> Self {
        Self(ids.into_iter().collect())
    }
}

impl ItemDetails {
    /// Whether this lot reaches the threshold without others, whichever unit its product counts in.
    /// Also `true` without a threshold.
    pub fn is_enough_alone(&self) -> bool {
        let Some(threshold) = self.low_stock_threshold else { return true };
        let needed = i128::from(threshold.hundredths()) * i128::from(self.unit.largest_multiple());
        i128::from(self.quantity.hundredths()) >= needed
    }
}

/// The order in which lots are used: by the day that counts, undated ones last, then by age.
pub fn first_to_expire_first(a: &Item, b: &Item) -> Ordering {
    let key = |item: &Item| {
        let until = item.details.good_until();
        (until.is_none(), until, item.created_at, item.id)
    };
    key(a).cmp(&key(b))
}

/// What was taken from one lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The lot.
    pub item: ItemId,
    /// The applied delta, in hundredths of the lot's unit: below 0.
    pub applied_hundredths: i64,
}

/// What was taken from the lots of a product, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consumed {
    /// From each lot.
    pub taken: AllTaken,
    /// What there was not, in the unit of the request, rounded up to two decimals.
    pub missing: Quantity,
}

entity! { Consumed { taken: "taken", missing: "missing" } }

/// A list of what was taken: in records `id:hundredths`, separated by blanks, or `-` if it is empty,
/// because some databases take no empty texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllTaken(pub Vec<Taken>);

impl fmt::Display for AllTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        for (at, Taken { item, applied_hundredths }) in self.0.iter().enumerate() {
            let gap = if at == 0 { "" } else { " " };
            write!(f, "{gap}{item}:{applied_hundredths}")?;
        }
        Ok(())
    }
}

/// The text is no list of what was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a list of lots and what was taken from each")]
struct InvalidTaken;

impl AllTaken {
    fn parse(text: &str) -> Result<Self, InvalidTaken> {
        let one = |text: &str| {
            let (item, applied) = text.split_once(':').ok_or(InvalidTaken)?;
            Ok(Taken {
                item: item.parse().map_err(|_: InvalidId| InvalidTaken)?,
                applied_hundredths: applied.parse().map_err(|_| InvalidTaken)?,
            })
        };
        text.split_ascii_whitespace()
            .filter(|text| *text != "-")
            .map(one)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

field! { AllTaken: text(|taken| &taken.to_string(), Self::parse) }

/// Why so much cannot be taken from the lots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ConsumeError {
    /// No lot has a unit that converts.
    #[error("the units don't convert into each other")]
    UnitMismatch,
    /// A lot's unit cannot show what would be left.
    #[error("a lot's unit can't hold the rest exactly")]
    NotExact,
}

/// Divides a quantity among lots, which are in the order in which they are used.
pub fn plan_consumption<'a>(
    lots: impl IntoIterator<Item = &'a Item>,
    quantity: Quantity,
    unit: &Unit,
) -> Result<Consumed, ConsumeError> {
    // In hundredths of the unit × SCALE, as a sum.
    let mut rest = i128::from(quantity.hundredths()) * StockSum::SCALE;
    let (mut taken, mut is_any, mut is_usable) = (Vec::new(), false, false);
    for lot in lots.into_iter().filter(|lot| !lot.details.is_depleted()) {
        is_any = true;
        let Some(Sizes { this, other }) = lot.details.unit.sizes(unit) else { continue };
        is_usable = true;
        let size = i128::from(this) * (StockSum::SCALE / i128::from(other));
        let held = i128::from(lot.details.quantity.hundredths()) * size;
        let take = held.min(rest);
        if take % size != 0 {
            return Err(ConsumeError::NotExact);
        }
        if take > 0 {
            let hundredths = i64::try_from(take / size).unwrap_or(i64::MAX);
            taken.push(Taken { item: lot.id, applied_hundredths: -hundredths });
            rest -= take;
        }
    }
    if is_any && !is_usable {
        return Err(ConsumeError::UnitMismatch);
    }
    let missing = i64::try_from((rest + StockSum::SCALE - 1) / StockSum::SCALE).unwrap_or(i64::MAX);
    let missing = Quantity::from_hundredths(missing).unwrap_or(Quantity::MAX);
    Ok(Consumed { taken: AllTaken(taken), missing })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;
    use crate::{ExpirationDate, Owner, UserId, item::tests::details};

    fn lot(n: u128, quantity: &str, unit: &str, until: Option<&str>) -> Item {
        let mut details = details("Milk", quantity, unit);
        details.expiration = until.map(|until| ExpirationDate::parse(until).unwrap());
        let by = UserId::fixed(1);
        Item::new(ItemId::fixed(n), Owner::User(by), details, by, Timestamp::UNIX_EPOCH)
    }

    fn quantity(text: &str) -> Quantity {
        Quantity::parse(text).unwrap()
    }

    fn unit(text: &str) -> Unit {
        Unit::parse(text).unwrap()
    }

    fn sum(unit_of_sum: &str, lots: &[Item]) -> Option<StockSum> {
        StockSum::of(&unit(unit_of_sum), lots.iter().map(|lot| &lot.details))
    }

    #[test]
    fn lots_are_summed_in_one_unit_and_empty_ones_do_not_matter() {
        let lots = [lot(1, "1.5", "L", None), lot(2, "250", "ml", None), lot(3, "0", "個", None)];
        assert_eq!(sum("L", &lots).map(StockSum::quantity), Some(quantity("1.75")));
        assert_eq!(sum("ml", &lots).map(StockSum::quantity), Some(quantity("1750")));
        assert_eq!(sum("kg", &lots), None);
        assert_eq!(sum("kg", &[]).map(StockSum::quantity), Some(Quantity::ZERO));
    }

    #[test]
    fn a_sum_is_compared_exactly() {
        let lots = [lot(1, "1", "kg", None), lot(2, "1", "g", None)];
        let total = sum("kg", &lots).unwrap();
        assert_eq!(total.quantity(), quantity("1"));
        assert!(!total.is_below(quantity("1")) && total.is_below(quantity("1.01")));
        let most = [lot(1, "99999999.99", "kg", None), lot(2, "99999999.99", "kg", None)];
        assert_eq!(sum("kg", &most).map(StockSum::quantity), Some(Quantity::MAX));
    }

    #[test]
    fn the_first_to_expire_is_used_first_and_undated_ones_last() {
        let mut lots = [
            lot(1, "1", "L", None),
            lot(2, "1", "L", Some("2026-03-02")),
            lot(3, "1", "L", Some("2026-03-01")),
            lot(4, "1", "L", Some("2026-03-02")),
        ];
        lots.sort_by(first_to_expire_first);
        let ids: Vec<_> = lots.iter().map(|lot| lot.id).collect();
        assert_eq!(ids, [3, 2, 4, 1].map(ItemId::fixed));
    }

    fn taken(lots: &[Item], text: &str, of: &str) -> Result<(String, String), ConsumeError> {
        let consumed = plan_consumption(lots, quantity(text), &unit(of))?;
        Ok((consumed.taken.to_string(), consumed.missing.to_string()))
    }

    #[test]
    fn one_lot_after_the_other_is_used_and_the_rest_is_missing() {
        let lots = [lot(1, "1", "L", None), lot(2, "0", "L", None), lot(3, "500", "ml", None)];
        let [one, _, three] = [1, 2, 3].map(ItemId::fixed);
        assert_eq!(taken(&lots, "0.5", "L"), Ok((format!("{one}:-50"), "0".to_owned())));
        let both = format!("{one}:-100 {three}:-25000");
        assert_eq!(taken(&lots, "1.25", "L"), Ok((both, "0".to_owned())));
        let all = format!("{one}:-100 {three}:-50000");
        assert_eq!(taken(&lots, "2", "L"), Ok((all, "0.5".to_owned())));
        assert_eq!(taken(&[], "2", "L"), Ok(("-".to_owned(), "2".to_owned())));
    }

    #[test]
    fn what_a_unit_cannot_say_is_refused() {
        let lots = [lot(1, "1", "kg", None)];
        assert_eq!(taken(&lots, "5", "g"), Err(ConsumeError::NotExact));
        assert_eq!(taken(&lots, "5", "個"), Err(ConsumeError::UnitMismatch));
    }

    proptest! {
        #[test]
        fn what_is_taken_and_what_is_missing_are_what_was_asked_for(
            lots in proptest::collection::vec((0..500_i64, any::<bool>()), 0..6),
            asked in 0..2_000_i64,
        ) {
            let lots: Vec<_> = (1..).zip(lots).map(|(n, (hundreds, in_litres))| {
                let (quantity, unit) =
                    if in_litres { (hundreds, "L") } else { (hundreds * 1000, "ml") };
                let mut lot = lot(n, "0", unit, None);
                lot.details.quantity = Quantity::from_hundredths(quantity).unwrap();
                lot
            }).collect();
            let asked = Quantity::from_hundredths(asked).unwrap();
            let consumed = plan_consumption(&lots, asked, &unit("L")).unwrap();
            let mut left = lots.clone();
            for Taken { item, applied_hundredths } in &consumed.taken.0 {
                let lot = left.iter_mut().find(|lot| lot.id == *item).unwrap();
                let after = lot.details.quantity.hundredths() + applied_hundredths;
                lot.details.quantity = Quantity::from_hundredths(after).unwrap();
            }
            let total = |lots: &[Item]| sum("L", lots).unwrap().quantity().hundredths();
            prop_assert_eq!(total(&lots) - total(&left) + consumed.missing.hundredths(), asked.hundredths());
            prop_assert!(consumed.missing.is_zero() || total(&left) == 0);
        }

        #[test]
        fn what_was_taken_is_read_as_it_was_written(
            taken in proptest::collection::vec((any::<u128>(), any::<i64>()), 0..5),
        ) {
            let taken = AllTaken(taken.into_iter().map(|(item, applied_hundredths)| {
                Taken { item: ItemId::fixed(item), applied_hundredths }
            }).collect());
            prop_assert_eq!(AllTaken::parse(&taken.to_string()), Ok(taken));
        }
    }
}
