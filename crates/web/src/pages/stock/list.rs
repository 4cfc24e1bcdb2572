//! `GET /stock`: the stock.

use std::sync::Arc;

use askama::Template;
use axum::{
    http::{HeaderMap, header},
    response::Response,
};
use larder_app::StockOverview;
use larder_domain::{ItemSort, StockCounts, StockView};
use larder_storage::StockRow;

use super::{
    beside::Beside,
    bulk_outcome::BulkOutcome,
    choices::{Choice, Places, categories},
    goods::Goods,
    query::{MOST, RawStockQuery, SORTS, StockQuery, sort_name},
    row::Row,
    rows::{RowsPage, wanted_rows},
};
use crate::{
    Failure, Frame, Keeper, Query, Section, WebState, pages::shopping::put_away_rows::dates,
    render, visit::KEPT,
};

/// A view of the stock, and the number of its items.
pub(super) struct Chip {
    pub(super) text: String,
    pub(super) address: String,
    pub(super) is_current: bool,
}

#[derive(Template)]
#[template(path = "stock/list.html")]
struct ListPage {
    frame: Frame,
    query: StockQuery,
    chips: Vec<Chip>,
    rows: Vec<Goods>,
    /// What can be selected, lot by lot.
    lots: Vec<Row>,
    beside: Option<Beside>,
    /// The URL of the next items.
    more: Option<String>,
    /// The maximum number of rows of the page.
    most: usize,
    categories: Vec<Choice>,
    locations: Vec<Choice>,
    stores: Vec<Choice>,
    sorts: Vec<Choice>,
    /// Dates for what is added, to choose with one press.
    dates: Vec<Choice>,
    /// Whether the inventory is empty.
    is_new: bool,
    has_demo: bool,
}

/// How many dates are offered: in days, in a week, in a month.
const DATES: usize = 3;

/// The order that was chosen last, as a cookie of this browser.
const ORDER_COOKIE: &str = "larder_stock_order";

pub(super) async fn page(
    web: WebState,
    keeper: Keeper,
    headers: HeaderMap,
    Query(wanted): Query<RawStockQuery>,
) -> Result<Response, Failure> {
    let mut frame = keeper.frame(Section::Stock);
    if let Some(outcome) = BulkOutcome::read(&wanted.notice) {
        frame.notice = Some(outcome.told(&frame));
    }
    let (query, caller) = (StockQuery::from(wanted), &keeper.caller);
    let sort = query.order(web.cookies.plain(&headers, ORDER_COOKIE));
    let StockOverview { counts, low, .. } = web.app.stock_overview(caller).await?;
    let (filter, places) = (query.filter(&low), Places::of(&web.app, caller).await?);
    let today = caller.today(web.app.now());
    let goods = |row: &StockRow| Goods::of(&frame, row, &places.locations, today, &low);
    let beside = match query.item {
        Some(id) => Beside::of(&web, caller, &frame, &places, id, &low).await?,
        None => None,
    };
    if let Some(ids) = wanted_rows(&headers) {
        let rows = web.app.stock_rows(caller, &ids, &filter).await?;
        let (rows, chips) = (rows.iter().map(goods).collect(), chips(&frame, &query, &counts));
        return Ok(render(&RowsPage { frame, query, chips, rows, beside }));
    }
    // Cursors are bound to the query, whatever is low at the moment.
    let question = query.filter(&Arc::default());
    let kind = if query.is_selecting { "items" } else { "lots" };
    let list = web.list(format_args!("{kind} {:?} {question:?} {sort:?}", caller.owner()));
    // An invalid cursor, from before an update or of another household, leads to the first page.
    let after = list.open(&query.cursor).ok();
    let (mut rows, mut lots) = (Vec::new(), Vec::new());
    let next = if query.is_selecting {
        let page = web.app.list_items(caller, &filter, sort, after.as_ref(), query.shown).await?;
        let row = |item| Row::of(&frame, item, &places.locations, today, low.has(item));
        lots.extend(page.items.iter().map(row));
        page.next
    } else {
        let page = web.app.list_lots(caller, &filter, sort, after.as_ref(), query.shown).await?;
        let new = web.app.stock_rows(caller, query.new.as_slice(), &filter).await?;
        let others = page.items.iter().filter(|row| Some(row.product) != query.new);
        rows.extend(new.iter().chain(others).map(goods));
        page.next
    };
    let more = list.seal(next.as_ref()).map(|cursor| query.after(cursor).address());
    let chosen = query.sort;
    let mut response = render(&ListPage {
        rows,
        lots,
        beside,
        chips: chips(&frame, &query, &counts),
        more,
        most: MOST,
        categories: categories(&frame, query.category),
        locations: places.locations(&frame, query.location),
        stores: places.stores(None),
        sorts: sorts(&frame, sort),
        dates: dates(&frame, today, None).into_iter().take(DATES).collect(),
        is_new: counts.is_empty(),
        has_demo: web.app.has_demo(caller).await?,
        query,
        frame,
    });
    if let Some(chosen) = chosen {
        let kept = web.cookies.set_plain(ORDER_COOKIE, sort_name(chosen), web.app.now() + KEPT);
        response.headers_mut().append(header::SET_COOKIE, kept);
    }
    Ok(response)
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

fn sorts(frame: &Frame, chosen: ItemSort) -> Vec<Choice> {
    let choice = |(sort, name): (ItemSort, &str)| Choice {
        value: name.to_owned(),
        text: match sort {
            ItemSort::Created => frame.t("stock-sort-created").into_owned(),
            ItemSort::Name => frame.t("stock-sort-name").into_owned(),
            ItemSort::Expiration => frame.t("stock-sort-expiration").into_owned(),
        },
        is_chosen: chosen == sort,
    };
    SORTS.into_iter().map(choice).collect()
}
