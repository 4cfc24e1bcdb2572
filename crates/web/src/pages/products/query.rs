//! The query of the list of products.

use larder_domain::{ProductFilter, ProductSort, SearchTerm};
use serde::Deserialize;

use crate::address::with_query;

/// The initial number of products on a page, and the number that is added at a time.
const CHUNK: usize = 50;

/// The maximum number of products on a page, each of which is read with its lots.
pub(super) const MOST: usize = 200;

/// The query as received.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct RawProductQuery {
    search: String,
    sort: String,
    gaps: String,
    cursor: String,
    shown: String,
}

/// The parsed query. Invalid values are ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ProductQuery {
    pub(super) search: String,
    pub(super) sort: ProductSort,
    /// Whether only products are shown of which something is unknown.
    pub(super) with_gaps: bool,
    /// The start of the page; empty for the first.
    pub(super) cursor: String,
    /// The current number of products on the page.
    pub(super) shown: usize,
}

impl From<RawProductQuery> for ProductQuery {
    fn from(raw: RawProductQuery) -> Self {
        Self {
            search: raw.search.trim().to_owned(),
            sort: if raw.sort == "total" { ProductSort::Total } else { ProductSort::Name },
            with_gaps: !raw.gaps.is_empty(),
            cursor: raw.cursor,
            shown: raw.shown.parse().unwrap_or(CHUNK).clamp(CHUNK, MOST),
        }
    }
}

impl ProductQuery {
    pub(super) fn filter(&self) -> ProductFilter {
        ProductFilter { search: SearchTerm::parse(&self.search), with_gaps: self.with_gaps }
    }

    /// Whether a filter was set.
    pub(super) const fn is_narrowed(&self) -> bool {
        self.with_gaps || !self.search.is_empty()
    }

    pub(super) fn is_by_total(&self) -> bool {
        self.sort == ProductSort::Total
    }

    /// The same list with all products, or only those with gaps, from its start.
    pub(super) fn with_gaps(&self, with_gaps: bool) -> Self {
        Self { with_gaps, ..self.beginning() }
    }

    /// The same list in the other order, from its start.
    pub(super) fn resorted(&self) -> Self {
        let sort = if self.is_by_total() { ProductSort::Name } else { ProductSort::Total };
        Self { sort, ..self.beginning() }
    }

    /// The page after this one.
    pub(super) fn after(&self, cursor: String) -> Self {
        Self { cursor, ..self.beginning() }
    }

    /// The first page of the list.
    pub(super) fn beginning(&self) -> Self {
        Self { cursor: String::new(), shown: CHUNK, ..self.clone() }
    }

    /// The URL of this page.
    pub(super) fn address(&self) -> String {
        let shown = if self.shown > CHUNK { self.shown.to_string() } else { String::new() };
        with_query(
            "/products",
            &[
                ("search", &self.search),
                ("sort", if self.is_by_total() { "total" } else { "" }),
                ("gaps", if self.with_gaps { "1" } else { "" }),
                ("cursor", &self.cursor),
                ("shown", &shown),
            ],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> ProductQuery {
        serde_html_form::from_str::<RawProductQuery>(query).unwrap().into()
    }

    #[test]
    fn an_address_says_all_that_it_was_read_from() {
        for query in ["", "?search=%E7%B1%B3&sort=total&gaps=1", "?cursor=abc&shown=100"] {
            assert_eq!(read(query.trim_start_matches('?')).address(), format!("/products{query}"));
        }
        assert_eq!(read("sort=price&shown=9999").shown, MOST);
    }

    #[test]
    fn another_view_begins_at_its_beginning() {
        let deep = read("search=milk&cursor=abc&shown=100");
        assert_eq!(deep.with_gaps(true).address(), "/products?search=milk&gaps=1");
        assert_eq!(deep.resorted().address(), "/products?search=milk&sort=total");
        assert_eq!(deep.resorted().resorted(), deep.beginning());
        assert_eq!(deep.after("x".to_owned()).address(), "/products?search=milk&cursor=x");
        assert!(deep.is_narrowed() && !read("sort=total").is_narrowed());
    }
}
