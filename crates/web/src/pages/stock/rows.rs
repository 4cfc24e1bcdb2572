//! Some rows of the list by themselves: a tap changes one row, and the page need not be read again
//! for it, however long it is.

use std::str::FromStr;

use askama::Template;
use axum::http::HeaderMap;

use super::{beside::Beside, goods::Goods, list::Chip, query::StockQuery};
use crate::{Frame, Section};

/// The header of a request for a list that wants only the rows of these ids.
const WANTED: &str = "x-larder-rows";

/// More are not read one by one.
const MOST: usize = 20;

#[derive(Template)]
#[template(path = "stock/rows.html")]
pub(super) struct RowsPage {
    pub(super) frame: Frame,
    pub(super) query: StockQuery,
    pub(super) chips: Vec<Chip>,
    pub(super) rows: Vec<Goods>,
    pub(super) beside: Option<Beside>,
}

/// The ids whose rows are wanted; `None`: the page is.
pub(in crate::pages) fn wanted_rows<Id: FromStr>(headers: &HeaderMap) -> Option<Vec<Id>> {
    let wanted = headers.get(WANTED)?.to_str().ok()?;
    let ids: Result<Vec<_>, _> = wanted.split(',').map(str::parse).collect();
    ids.ok().filter(|ids| ids.len() <= MOST)
}

#[cfg(test)]
mod tests {
    use larder_domain::ProductId;

    use super::*;

    #[test]
    fn some_rows_are_wanted_or_the_whole_page() {
        let read = |text: &str| {
            wanted_rows::<ProductId>(&HeaderMap::from_iter([(
                WANTED.parse().unwrap(),
                text.parse().unwrap(),
            )]))
        };
        let (milk, rice) = (ProductId::fixed(1), ProductId::fixed(2));
        assert_eq!(read(&format!("{milk},{rice}")), Some(vec![milk, rice]));
        for whole in ["", "x", &format!("{milk},"), &vec![milk.to_string(); 21].join(",")] {
            assert_eq!(read(whole), None, "{whole}");
        }
        assert_eq!(wanted_rows::<ProductId>(&HeaderMap::new()), None);
    }
}
