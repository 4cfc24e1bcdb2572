//! Views of the stock, and the number of items in each.

use std::sync::Arc;

use jiff::civil::Date;

use crate::{Expiring, Item, ItemFilter, LowProducts};

/// A view of the stock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StockView {
    /// In stock.
    #[default]
    AtHand,
    /// Expiring soon.
    Soon,
    /// Expired.
    Expired,
    /// To be bought: all lots of the product together are below its threshold.
    Low,
    /// Run out.
    Depleted,
}

impl StockView {
    /// Every view, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::AtHand, Self::Soon, Self::Expired, Self::Low, Self::Depleted];

    /// The word for it in addresses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AtHand => "",
            Self::Soon => "soon",
            Self::Expired => "expired",
            Self::Low => "low",
            Self::Depleted => "depleted",
        }
    }

    /// Adds this view to a filter. `low` are the products whose stock is low.
    #[must_use]
    pub fn narrow(self, filter: ItemFilter, low: &Arc<LowProducts>) -> ItemFilter {
        match self {
            Self::AtHand => filter,
            Self::Soon => ItemFilter { expiring: Some(Expiring::Soon), ..filter },
            Self::Expired => ItemFilter { expiring: Some(Expiring::Expired), ..filter },
            Self::Low => {
                let low = Some(Arc::clone(low));
                ItemFilter { low, include_depleted: true, ..filter }
            }
            Self::Depleted => ItemFilter { only_depleted: true, ..filter },
        }
    }
}

/// How many items are in each view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StockCounts([usize; StockView::ALL.len()]);

impl StockCounts {
    /// Counts an item.
    pub fn count(&mut self, item: &Item, today: Date, low: &Arc<LowProducts>) {
        for (view, count) in StockView::ALL.into_iter().zip(&mut self.0) {
            if view.narrow(ItemFilter::default(), low).matches(item, today) {
                *count += 1;
            }
        }
    }

    /// How many are in this view.
    pub fn of(&self, view: StockView) -> usize {
        let found = StockView::ALL.into_iter().zip(self.0).find(|(known, _)| *known == view);
        found.map_or(0, |(_, count)| count)
    }

    /// Whether there are no items, not even depleted ones.
    pub fn is_empty(&self) -> bool {
        self.of(StockView::AtHand) + self.of(StockView::Depleted) == 0
    }
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, civil::date};

    use super::*;
    use crate::{ExpirationDate, ItemId, Owner, UserId, item::tests::details};

    #[test]
    fn every_item_is_counted_in_each_view_that_shows_it() {
        let user = UserId::fixed(1);
        let mut counts = StockCounts::default();
        assert!(counts.is_empty());
        for (n, (quantity, until, is_low)) in (2..).zip([
            ("2", None, false),
            ("2", Some("2026-03-01"), true),
            ("1", Some("2026-02-27"), false),
            ("0", Some("2026-02-27"), true),
            ("0", None, false),
        ]) {
            let mut details = details("Milk", quantity, "L");
            details.expiration = until.map(|until| ExpirationDate::parse(until).unwrap());
            let owner = Owner::User(user);
            let item = Item::new(ItemId::fixed(n), owner, details, user, Timestamp::UNIX_EPOCH);
            let low = item.product.filter(|_| is_low).into_iter().collect();
            counts.count(&item, date(2026, 2, 28), &Arc::new(low));
        }
        assert_eq!(StockView::ALL.map(|view| counts.of(view)), [3, 1, 1, 2, 2]);
        assert!(!counts.is_empty());
    }
}
