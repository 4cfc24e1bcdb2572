//! `GET /stock/copy`: the stock as a browser keeps it for when there is no signal, with the time at
//! which it was read. "Do we have eggs?" is asked in the shop.

use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use larder_domain::{ItemFilter, ItemSort, StorageLocation};
use larder_storage::StockRow;

use crate::{
    Failure, Frame, Keeper, Section, WebState, format,
    pages::{products::lots::total, stock::row::badges},
    render,
};

/// More than most families have, in a page of some 100 KB.
const MOST: usize = 1000;

#[derive(Template)]
#[template(path = "stock/copy.html")]
struct CopyPage {
    frame: Frame,
    moment: String,
    rows: Vec<CopiedRow>,
    /// Whether there is more in stock.
    has_more: bool,
}

struct CopiedRow {
    name: String,
    amount: String,
    /// Dates and places.
    about: String,
}

pub(super) async fn page(web: WebState, keeper: Keeper) -> Result<Response, Failure> {
    let (frame, caller) = (keeper.frame(Section::Stock), &keeper.caller);
    let now = web.app.now();
    let filter = ItemFilter::default();
    let stock = web.app.list_lots(caller, &filter, ItemSort::Name, None, MOST).await?;
    let (own, today) = (web.app.locations(caller).await?, caller.today(now));
    Ok(render(&CopyPage {
        moment: format::moment(frame.words, now, caller.zone()),
        rows: stock.items.iter().map(|row| copied(&frame, row, &own, today)).collect(),
        has_more: stock.next.is_some(),
        frame,
    }))
}

fn copied(frame: &Frame, row: &StockRow, own: &[StorageLocation], today: Date) -> CopiedRow {
    let first = row.lots.first();
    let mut about: Vec<String> = Vec::new();
    for lot in &row.lots {
        about.extend(badges(frame, &lot.details, today, false).into_iter().map(|it| it.text));
        about.extend(lot.details.location.map(|id| frame.location(id, own)));
    }
    about.dedup();
    CopiedRow {
        name: first.map(|lot| lot.details.name.as_str().to_owned()).unwrap_or_default(),
        amount: total(&row.unit, &row.lots).unwrap_or_default(),
        about: about.join(" · "),
    }
}
