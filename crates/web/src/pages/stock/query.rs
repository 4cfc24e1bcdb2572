//! The query of the stock list.

use std::sync::Arc;

use larder_domain::{
    CategoryId, ItemFilter, ItemId, ItemSort, LowProducts, ProductId, SearchTerm, StockView,
    StorageLocationId,
};
use serde::Deserialize;

use crate::address::with_query;

/// The initial number of items on a page, and the number that is added at a time.
pub(super) const CHUNK: usize = 50;

/// The maximum number of items on a page. Then the next page starts.
pub(super) const MOST: usize = 500;

/// The query as received.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(super) struct RawStockQuery {
    search: String,
    category: String,
    location: String,
    show: String,
    sort: String,
    cursor: String,
    shown: String,
    select: String,
    item: String,
    new: String,
    pub(super) notice: String,
}

/// The parsed query. Invalid values, such as of an old URL, are ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StockQuery {
    pub(super) search: String,
    pub(super) category: Option<CategoryId>,
    pub(super) location: Option<StorageLocationId>,
    pub(super) view: StockView,
    /// The chosen order; `None`: the one that was chosen last.
    pub(super) sort: Option<ItemSort>,
    /// The start of the page; empty for the first.
    pub(super) cursor: String,
    /// The current number of items on the page.
    pub(super) shown: usize,
    /// Whether items are being selected, to be changed together.
    pub(super) is_selecting: bool,
    /// The item that is shown beside the list where there is room.
    pub(super) item: Option<ItemId>,
    /// What was just added: it stands first, whatever the order is.
    pub(super) new: Option<ProductId>,
}

pub(super) const SORTS: [(ItemSort, &str); 3] = [
    (ItemSort::Created, "created"),
    (ItemSort::Name, "name"),
    (ItemSort::Expiration, "expiration"),
];

fn sort_named(name: &str) -> Option<ItemSort> {
    SORTS.into_iter().find(|(_, known)| *known == name).map(|(sort, _)| sort)
}

/// The name of an order in a URL or a cookie.
pub(super) fn sort_name(sort: ItemSort) -> &'static str {
    SORTS.into_iter().find(|(known, _)| *known == sort).map_or("", |(_, name)| name)
}

impl From<RawStockQuery> for StockQuery {
    fn from(wanted: RawStockQuery) -> Self {
        let view = StockView::ALL.into_iter().find(|view| view.as_str() == wanted.show);
        Self {
            search: wanted.search.trim().to_owned(),
            category: wanted.category.parse().ok(),
            location: wanted.location.parse().ok(),
            view: view.unwrap_or_default(),
            sort: sort_named(&wanted.sort),
            cursor: wanted.cursor,
            shown: wanted.shown.parse().unwrap_or(CHUNK).clamp(CHUNK, MOST),
            is_selecting: !wanted.select.is_empty(),
            item: wanted.item.parse().ok(),
            new: wanted.new.parse().ok(),
        }
    }
}

impl StockQuery {
    /// The filter; `low` are the products whose stock is low. A search by name also finds depleted items, because they may have just been
    /// bought.
    pub(super) fn filter(&self, low: &Arc<LowProducts>) -> ItemFilter {
        let search = SearchTerm::parse(&self.search);
        let filter = ItemFilter {
            include_depleted: search.is_some() && self.view == StockView::AtHand,
            search,
            category: self.category,
            location: self.location,
            ..ItemFilter::default()
        };
        self.view.narrow(filter, low)
    }

    /// The order: as chosen here, or as it was chosen last.
    pub(super) fn order(&self, last: Option<&str>) -> ItemSort {
        self.sort.or_else(|| sort_named(last?)).unwrap_or(ItemSort::Expiration)
    }

    /// Whether a filter was set.
    pub(super) fn is_narrowed(&self) -> bool {
        self.is_refined() || !self.search.is_empty() || self.view != StockView::AtHand
    }

    /// Whether a filter was set that is folded away on the page.
    pub(super) const fn is_refined(&self) -> bool {
        self.category.is_some() || self.location.is_some()
    }

    /// The same list in another view, from its start.
    pub(super) fn in_view(&self, view: StockView) -> Self {
        Self { view, cursor: String::new(), shown: CHUNK, item: None, new: None, ..self.clone() }
    }

    /// The page after this one.
    pub(super) fn after(&self, cursor: String) -> Self {
        Self { cursor, shown: CHUNK, ..self.clone() }
    }

    /// The whole stock in the same order: what was just added is in it, whatever was searched for.
    pub(super) fn everything(&self) -> Self {
        Self {
            search: String::new(),
            category: None,
            location: None,
            ..self.in_view(StockView::AtHand)
        }
    }

    /// The first page of the list.
    pub(super) fn beginning(&self) -> Self {
        self.in_view(self.view)
    }

    /// The same page, with or without selection.
    pub(super) fn selecting(&self, is_selecting: bool) -> Self {
        Self { is_selecting, ..self.clone() }
    }

    /// The same page without an item beside it.
    pub(super) fn without_item(&self) -> Self {
        Self { item: None, ..self.clone() }
    }

    /// The URL of this page.
    pub(super) fn address(&self) -> String {
        let text = |id: Option<String>| id.unwrap_or_default();
        let shown = if self.shown > CHUNK { self.shown.to_string() } else { String::new() };
        with_query(
            "/stock",
            &[
                ("search", &self.search),
                ("category", &text(self.category.map(|id| id.to_string()))),
                ("location", &text(self.location.map(|id| id.to_string()))),
                ("show", self.view.as_str()),
                ("sort", self.sort.map_or("", sort_name)),
                ("cursor", &self.cursor),
                ("shown", &shown),
                ("select", if self.is_selecting { "1" } else { "" }),
                ("item", &text(self.item.map(|id| id.to_string()))),
                ("new", &text(self.new.map(|id| id.to_string()))),
            ],
        )
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{CATEGORIES, Expiring};

    use super::*;

    fn read(query: &str) -> StockQuery {
        serde_html_form::from_str::<RawStockQuery>(query).unwrap().into()
    }

    #[test]
    fn an_address_says_all_that_it_was_read_from() {
        let category = CATEGORIES[4].id;
        for query in [
            String::new(),
            "?search=%E7%B1%B3%20100%25&show=soon&sort=name".to_owned(),
            format!("?category={category}&show=low&cursor=abc&shown=150&select=1"),
            format!("?item={}&new={}", ItemId::fixed(7), ProductId::fixed(8)),
        ] {
            let address = read(query.trim_start_matches('?')).address();
            assert_eq!(address, format!("/stock{query}"));
        }
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        let query = read("category=x&location=&show=nothing&sort=price&shown=-1&select=");
        assert_eq!(query, StockQuery { shown: CHUNK, ..StockQuery::default() });
        assert_eq!(read("shown=999999").shown, MOST);
    }

    #[test]
    fn a_search_finds_what_is_used_up_unless_it_is_about_dates() {
        for (query, finds) in [
            ("", false),
            ("search=+", false),
            ("search=eggs", true),
            ("search=eggs&show=soon", false),
        ] {
            assert_eq!(read(query).filter(&Arc::default()).include_depleted, finds, "{query}");
        }
    }

    #[test]
    fn the_first_to_expire_come_first_until_another_order_is_chosen() {
        let soon = read("show=soon");
        assert_eq!(soon.filter(&Arc::default()).expiring, Some(Expiring::Soon));
        assert_eq!(soon.order(None), ItemSort::Expiration);
        assert_eq!(soon.order(Some("name")), ItemSort::Name);
        assert_eq!(read("sort=created").order(Some("name")), ItemSort::Created);
        assert_eq!(read("").order(Some("price")), ItemSort::Expiration);
    }

    #[test]
    fn another_view_begins_at_its_beginning() {
        let deep = read("search=milk&cursor=abc&shown=150");
        assert_eq!(deep.in_view(StockView::Low).address(), "/stock?search=milk&show=low");
        assert_eq!(deep.beginning().address(), "/stock?search=milk");
        assert!(deep.is_narrowed() && !deep.is_refined());
        assert!(!read("cursor=abc").is_narrowed());
    }
}
