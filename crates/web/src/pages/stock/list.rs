//! `GET /stock`: the stock.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use larder_app::StockOverview;
use larder_domain::{ItemSort, StockCounts, StockView};

use super::{
    bulk_outcome::BulkOutcome,
    choices::{Choice, Places, categories},
    query::{MOST, RawStockQuery, SORTS, StockQuery},
    row::Row,
};
use crate::{Failure, Frame, Member, Query, Section, WebState, render};

/// A view of the stock, and the number of its items.
struct Chip {
    text: String,
    address: String,
    is_current: bool,
}

#[derive(Template)]
#[template(path = "stock/list.html")]
struct ListPage {
    frame: Frame,
    query: StockQuery,
    chips: Vec<Chip>,
    rows: Vec<Row>,
    /// The URL of the next items.
    more: Option<String>,
    /// The maximum number of rows of the page.
    most: usize,
    categories: Vec<Choice>,
    locations: Vec<Choice>,
    stores: Vec<Choice>,
    sorts: Vec<Choice>,
    /// Whether the inventory is empty.
    is_new: bool,
    has_demo: bool,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(wanted): Query<RawStockQuery>,
) -> Result<Response, Failure> {
    let mut frame = member.frame(Section::Stock);
    if let Some(outcome) = BulkOutcome::read(&wanted.notice) {
        frame.notice = Some(outcome.told(&frame));
    }
    let query = StockQuery::from(wanted);
    let (sort, caller) = (query.order(), &member.caller);
    // Cursors are bound to the query, whatever is low at the moment.
    let question = query.filter(&Arc::default());
    let list = web.list(format_args!("items {:?} {question:?} {sort:?}", caller.owner()));
    // An invalid cursor, from before an update or of another household, leads to the first page.
    let after = list.open(&query.cursor).ok();
    let StockOverview { counts, low } = web.app.stock_overview(caller).await?;
    let filter = query.filter(&low);
    let page = web.app.list_items(caller, &filter, sort, after.as_ref(), query.shown).await?;
    let places = Places::of(&web.app, caller).await?;
    let today = caller.today(web.app.now());
    let rows = page
        .items
        .iter()
        .map(|item| Row::of(&frame, item, &places.locations, today, low.has(item)));
    let more = list.seal(page.next.as_ref()).map(|cursor| query.after(cursor).address());
    Ok(render(&ListPage {
        rows: rows.collect(),
        chips: chips(&frame, &query, &counts),
        more,
        most: MOST,
        categories: categories(&frame, query.category),
        locations: places.locations(&frame, query.location),
        stores: places.stores(None),
        sorts: sorts(&frame, query.sort),
        is_new: counts.is_empty(),
        has_demo: web.app.has_demo(caller).await?,
        query,
        frame,
    }))
}

/// The views with their counts, without empty ones.
fn chips(frame: &Frame, query: &StockQuery, counts: &StockCounts) -> Vec<Chip> {
    let shown = StockView::ALL
        .into_iter()
        .filter(|view| *view == StockView::AtHand || *view == query.view || counts.of(*view) > 0);
    shown
        .map(|view| {
            let count = counts.of(view);
            let text = match view {
                StockView::AtHand => frame.t1("stock-view-at-hand", "count", count),
                StockView::Soon => frame.t1("stock-view-soon", "count", count),
                StockView::Expired => frame.t1("stock-view-expired", "count", count),
                StockView::Low => frame.t1("stock-view-low", "count", count),
                StockView::Depleted => frame.t1("stock-view-depleted", "count", count),
            };
            Chip { text, address: query.in_view(view).address(), is_current: view == query.view }
        })
        .collect()
}

fn sorts(frame: &Frame, chosen: Option<ItemSort>) -> Vec<Choice> {
    let choice = |(sort, name): (ItemSort, &str)| Choice {
        value: name.to_owned(),
        text: match sort {
            ItemSort::Created => frame.t("stock-sort-created").into_owned(),
            ItemSort::Name => frame.t("stock-sort-name").into_owned(),
            ItemSort::Expiration => frame.t("stock-sort-expiration").into_owned(),
        },
        is_chosen: chosen == Some(sort),
    };
    SORTS.into_iter().map(choice).collect()
}
