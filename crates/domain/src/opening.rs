//! Opening a lot, or a part of it.

use jiff::civil::Date;
use thiserror::Error;

use crate::{ExpirationDate, Item, ItemDetails, OpeningDate, Quantity};

/// What opening a lot changes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one per call, never kept in numbers")]
pub enum Opening {
    /// Nothing: it is open already, from an earlier day or from this one.
    Nothing,
    /// The whole lot is open; it has these details now.
    Whole(ItemDetails),
    /// A part of it becomes a lot of its own, because it keeps less long than the rest.
    Part {
        /// The lot that is left.
        rest: ItemDetails,
        /// The open one.
        opened: ItemDetails,
    },
}

/// Why a lot cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there is not so much of it")]
pub struct NotEnoughToOpen;

/// A lot that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedItem {
    /// The open lot.
    pub opened: Item,
    /// The rest, if only a part was opened and became a lot of its own.
    pub rest: Option<Item>,
}

impl ItemDetails {
    /// What opening this quantity of a lot changes (`None`: all of it). Where the part keeps as long
    /// as the rest, the lot stays one: there is one lot per name and date.
    pub fn open(
        &self,
        quantity: Option<Quantity>,
        today: Date,
    ) -> Result<Opening, NotEnoughToOpen> {
        let quantity = quantity.unwrap_or(self.quantity);
        if self.is_depleted() || quantity > self.quantity {
            return Err(NotEnoughToOpen);
        }
        if self.opened_on.is_some() {
            return Ok(Opening::Nothing);
        }
        let Ok(today) = OpeningDate::parse(&today.to_string()) else {
            return Ok(Opening::Nothing);
        };
        let whole = Self { opened_on: Some(today), ..self.clone() };
        let date: Option<ExpirationDate> = whole.good_until();
        let rest = self.quantity.hundredths() - quantity.hundredths();
        if rest == 0 || date == self.expiration {
            return Ok(Opening::Whole(whole));
        }
        let rest = Quantity::from_hundredths(rest).map_err(|_| NotEnoughToOpen)?;
        let opened = Self { opened_on: Some(today), ..self.clone().another_lot(quantity, date) };
        Ok(Opening::Part { rest: Self { quantity: rest, ..self.clone() }, opened })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use crate::{ShelfLife, item::tests::details};

    const TODAY: Date = date(2026, 3, 1);

    fn milk(until: Option<&str>, opened_days: Option<u64>) -> ItemDetails {
        ItemDetails {
            expiration: until.map(|until| ExpirationDate::parse(until).unwrap()),
            opened_shelf_life: opened_days.map(|days| ShelfLife::from_days(days).unwrap()),
            ..details("Milk", "3", "L")
        }
    }

    const ONE: Option<Quantity> = Some(Quantity::ONE);

    #[test]
    fn one_of_several_becomes_a_lot_with_its_own_date() {
        let milk = milk(Some("2026-04-01"), Some(4));
        let Ok(Opening::Part { rest, opened }) = milk.open(ONE, TODAY) else { panic!() };
        assert_eq!(rest, ItemDetails { quantity: Quantity::parse("2").unwrap(), ..milk.clone() });
        assert_eq!(opened.quantity, Quantity::ONE);
        assert_eq!(opened.expiration, ExpirationDate::parse("2026-03-05").ok());
        assert_eq!(opened.opened_on, OpeningDate::parse("2026-03-01").ok());
        assert_eq!(opened.good_until(), opened.expiration);
    }

    #[test]
    fn the_lot_stays_one_where_the_date_is_the_same() {
        for milk in
            [milk(Some("2026-04-01"), None), milk(None, None), milk(Some("2026-03-03"), Some(4))]
        {
            let whole =
                ItemDetails { opened_on: OpeningDate::parse("2026-03-01").ok(), ..milk.clone() };
            assert_eq!(milk.open(ONE, TODAY), Ok(Opening::Whole(whole.clone())));
            assert_eq!(milk.open(None, TODAY), Ok(Opening::Whole(whole)));
        }
    }

    #[test]
    fn all_of_it_stays_one_lot_and_keeps_the_printed_date() {
        let milk = milk(Some("2026-04-01"), Some(4));
        for all in [None, Some(milk.quantity)] {
            let Ok(Opening::Whole(open)) = milk.open(all, TODAY) else { panic!() };
            assert_eq!(open.expiration, milk.expiration);
            assert_eq!(open.good_until(), ExpirationDate::parse("2026-03-05").ok());
        }
    }

    #[test]
    fn what_is_open_stays_as_it_is_and_what_is_not_there_is_refused() {
        let milk = milk(None, Some(4));
        let open = ItemDetails { opened_on: OpeningDate::parse("2026-02-01").ok(), ..milk.clone() };
        assert_eq!(open.open(None, TODAY), Ok(Opening::Nothing));
        assert_eq!(milk.open(Quantity::parse("3.01").ok(), TODAY), Err(NotEnoughToOpen));
        let empty = ItemDetails { quantity: Quantity::ZERO, ..milk };
        assert_eq!(empty.open(None, TODAY), Err(NotEnoughToOpen));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(
            there in 1..1_000_i64,
            asked in 1..1_000_i64,
            days in prop::option::of(1..50_u64),
        ) {
            let quantity = Quantity::from_hundredths(there).unwrap();
            let lot = ItemDetails { quantity, ..milk(Some("2026-03-20"), days) };
            match lot.open(Quantity::from_hundredths(asked).ok(), TODAY) {
                Ok(Opening::Part { rest, opened }) => {
                    let sum = rest.quantity.hundredths() + opened.quantity.hundredths();
                    prop_assert_eq!(sum, there);
                    prop_assert_eq!(opened.quantity.hundredths(), asked);
                    prop_assert!(opened.expiration < rest.expiration);
                }
                Ok(Opening::Whole(open)) => prop_assert_eq!(open.quantity, quantity),
                Ok(Opening::Nothing) => prop_assert!(false, "it was not open"),
                Err(NotEnoughToOpen) => prop_assert!(asked > there),
            }
        }
    }
}
