//! Filters and orders of item lists. Engines without a query language use these rules; the others
//! are tested against them.

use std::{cmp::Ordering, sync::Arc};

use jiff::{Timestamp, civil::Date};

use crate::{
    CategoryId, ExpirationDate, ExpirationStatus, Item, ItemId, LowProducts, StorageLocationId,
    text,
};

/// A search term for names: a prefix of any word, ignoring case and width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerm(String);

impl SearchTerm {
    /// A term; `None` if it is blank.
    pub fn parse(text: &str) -> Option<Self> {
        let folded = text::fold(text);
        (!folded.is_empty()).then_some(Self(folded))
    }

    /// The folded term.
    pub fn folded(&self) -> &str {
        &self.0
    }

    /// Whether some word of the name begins with the term. A term of several words must follow on.
    pub fn matches(&self, name: &str) -> bool {
        searchable_suffixes(&text::fold(name)).any(|suffix| suffix.starts_with(&self.0))
    }
}

/// The suffixes of a folded name from each start of a word. A term matches if it is a prefix of one
/// of them; engines with a search index store these.
pub fn searchable_suffixes(folded: &str) -> impl Iterator<Item = &str> {
    let mut follows_gap = true;
    folded.char_indices().filter_map(move |(at, c)| {
        let is_start = follows_gap && !c.is_whitespace();
        follows_gap = !c.is_alphanumeric();
        is_start.then(|| &folded[at..])
    })
}

/// A filter on dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiring {
    /// Today and the three days after.
    Soon,
    /// Before today.
    Expired,
}

/// Which items a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// Only these names.
    pub search: Option<SearchTerm>,
    /// Only this category.
    pub category: Option<CategoryId>,
    /// Only this place.
    pub location: Option<StorageLocationId>,
    /// Only these dates.
    pub expiring: Option<Expiring>,
    /// Only lots of these products, whose stock is low.
    pub low: Option<Arc<LowProducts>>,
    /// Also items that have run out.
    pub include_depleted: bool,
    /// Only items that have run out, whatever `include_depleted` says.
    pub only_depleted: bool,
}

impl ItemFilter {
    /// Whether the list shows this item on this day.
    pub fn matches(&self, item: &Item, today: Date) -> bool {
        let details = &item.details;
        let status = || ExpirationStatus::of(details.good_until(), today);
        let is_wanted = if details.is_depleted() {
            self.include_depleted || self.only_depleted
        } else {
            !self.only_depleted
        };
        is_wanted
            && self.category.is_none_or(|category| details.category == category)
            && self.location.is_none_or(|location| details.location == Some(location))
            && self.low.as_ref().is_none_or(|low| low.has(item))
            && match self.expiring {
                None => true,
                Some(Expiring::Soon) => status() == ExpirationStatus::ExpiringSoon,
                Some(Expiring::Expired) => status() == ExpirationStatus::Expired,
            }
            && self.search.as_ref().is_none_or(|term| term.matches(details.name.as_str()))
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ItemSort {
    /// Newest first.
    #[default]
    Created,
    /// By folded name.
    Name,
    /// By the day that counts; undated items last.
    Expiration,
}

/// The position of an item in a list: the exclusive start of the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemPosition {
    /// In [`ItemSort::Created`].
    Created(Timestamp, ItemId),
    /// In [`ItemSort::Name`].
    Name(String, ItemId),
    /// In [`ItemSort::Expiration`].
    Expiration(Option<ExpirationDate>, ItemId),
}

impl ItemPosition {
    /// The position of this item.
    pub fn of(item: &Item, sort: ItemSort) -> Self {
        match sort {
            ItemSort::Created => Self::Created(item.created_at, item.id),
            ItemSort::Name => Self::Name(text::fold(item.details.name.as_str()), item.id),
            ItemSort::Expiration => Self::Expiration(item.details.good_until(), item.id),
        }
    }

    /// The order that the position belongs to.
    pub const fn sort(&self) -> ItemSort {
        match self {
            Self::Created(..) => ItemSort::Created,
            Self::Name(..) => ItemSort::Name,
            Self::Expiration(..) => ItemSort::Expiration,
        }
    }
}

/// Positions of one order compare as the list shows them; those of different orders don't.
impl PartialOrd for ItemPosition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Created(at, id), Self::Created(other_at, other_id)) => {
                Some((other_at, other_id).cmp(&(at, id)))
            }
            (Self::Name(name, id), Self::Name(other_name, other_id)) => {
                Some((name, id).cmp(&(other_name, other_id)))
            }
            (Self::Expiration(date, id), Self::Expiration(other_date, other_id)) => {
                let undated_last = (date.is_none(), date, id);
                Some(undated_last.cmp(&(other_date.is_none(), other_date, other_id)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Owner, UserId, item::tests::details};

    fn item(n: u128, name: &str, quantity: &str) -> Item {
        let user = UserId::fixed(1);
        let at = Timestamp::from_second(i64::try_from(n).unwrap()).unwrap();
        Item::new(ItemId::fixed(n), Owner::User(user), details(name, quantity, "個"), user, at)
    }

    #[test]
    fn search_finds_prefixes_of_any_word() {
        let matches = |term: &str, name: &str| SearchTerm::parse(term).unwrap().matches(name);
        for (term, name) in [
            ("mil", "Whole Milk"),
            ("WHOLE m", "whole milk"),
            ("ﾄﾏ", "トマト缶"),
            ("50%", "Chocolate 50% cocoa"),
            ("%", "% symbol"),
            ("_x", "_x_"),
            ("fat", "low-fat yoghurt"),
        ] {
            assert!(matches(term, name), "{term} in {name}");
        }
        for (term, name) in
            [("ilk", "Milk"), ("%", "Milk"), ("_ilk", "Milk"), ("milk whole", "Whole Milk")]
        {
            assert!(!matches(term, name), "{term} in {name}");
        }
        assert_eq!(SearchTerm::parse(" \u{3000}"), None);
    }

    #[test]
    fn a_name_is_searched_from_each_beginning_of_a_word() {
        let suffixes: Vec<_> = searchable_suffixes("low-fat  50% milk").collect();
        assert_eq!(suffixes, ["low-fat  50% milk", "fat  50% milk", "50% milk", "milk"]);
        assert_eq!(searchable_suffixes("_x").collect::<Vec<_>>(), ["_x", "x"]);
    }

    #[test]
    fn what_has_run_out_shows_only_when_asked_for() {
        let today = jiff::civil::date(2026, 1, 1);
        let gone = item(1, "Milk", "0");
        let all = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let low = |low| ItemFilter { low: Some(Arc::new(low)), ..all.clone() };
        assert!(!ItemFilter::default().matches(&gone, today));
        assert!(all.matches(&gone, today));
        assert!(!low(LowProducts::default()).matches(&gone, today));
        assert!(low(gone.product.into_iter().collect()).matches(&gone, today));
        let only = ItemFilter { only_depleted: true, ..ItemFilter::default() };
        assert!(only.matches(&gone, today));
        assert!(!only.matches(&item(2, "Rice", "1"), today));
    }

    #[test]
    fn dates_filter_by_the_given_day() {
        let today = jiff::civil::date(2026, 1, 1);
        let mut milk = item(1, "Milk", "1");
        let soon = ItemFilter { expiring: Some(Expiring::Soon), ..ItemFilter::default() };
        let expired = ItemFilter { expiring: Some(Expiring::Expired), ..ItemFilter::default() };
        assert!(!soon.matches(&milk, today) && !expired.matches(&milk, today));
        milk.details.expiration = Some(ExpirationDate::parse("2026-01-04").unwrap());
        assert!(soon.matches(&milk, today) && !expired.matches(&milk, today));
        assert!(expired.matches(&milk, jiff::civil::date(2026, 1, 5)));
    }

    #[test]
    fn lists_are_newest_first_by_name_or_by_what_goes_off_first() {
        let mut items = [item(1, "b", "1"), item(2, "A", "1"), item(3, "c", "1")];
        items[2].details.expiration = Some(ExpirationDate::parse("2026-01-04").unwrap());
        let order = |sort| {
            let mut sorted: Vec<_> = items.iter().map(|i| ItemPosition::of(i, sort)).collect();
            sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let rank = |p: &ItemPosition| {
                items.iter().position(|i| ItemPosition::of(i, sort) == *p).unwrap() + 1
            };
            sorted.iter().map(rank).collect::<Vec<_>>()
        };
        assert_eq!(order(ItemSort::Created), [3, 2, 1]);
        assert_eq!(order(ItemSort::Name), [2, 1, 3]);
        assert_eq!(order(ItemSort::Expiration), [3, 1, 2]);
    }
}
