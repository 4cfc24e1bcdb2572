//! `GET` and `POST /shopping/put-away`: all purchased entries with amount, place and date on one form.
//! Each is put away by itself; those that stay on the list are shown with the reason.

use std::collections::BTreeSet;

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_app::AppError;
use larder_domain::{ShoppingItem, ShoppingItemId, ShoppingStatus};
use serde::Deserialize;

use super::{
    put_away_rows::{MOST, Row, SentRows},
    shopping_list_view::read_entries,
};
use crate::{
    Failure, Form, Frame, Member, Query, Section, Web, WebState, done,
    pages::{scan::with_camera, stock::choices::Places},
    render, render_with,
};

#[derive(Template)]
#[template(path = "shopping/put-away-all.html")]
struct PutAwayAllPage {
    frame: Frame,
    rows: Vec<Row>,
    /// Entries that could not be put away: name and reason.
    left: Vec<(String, String)>,
}

#[derive(Deserialize)]
pub(super) struct SheetQuery {
    /// The entry whose code was just read.
    #[serde(default)]
    row: String,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(query): Query<SheetQuery>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Shopping);
    let mut rows = rows(&web, &member, &frame, &BTreeSet::new()).await?;
    for row in &mut rows {
        row.is_found = row.id.to_string() == query.row;
    }
    Ok(with_camera(render(&PutAwayAllPage { frame, rows, left: Vec::new() })))
}

pub(super) async fn put_away(
    web: WebState,
    member: Member,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let (app, caller) = (&web.app, &member.caller);
    let (mut gone, mut left, mut count) = (BTreeSet::new(), Vec::new(), 0_u32);
    let (mut tried, mut bought) = (Vec::new(), Vec::new());
    let SentRows { rows: all, remember } = SentRows::read(fields)?;
    for sent in all {
        match sent.bought() {
            Ok(entry) => {
                tried.push(sent);
                bought.push(entry);
            }
            Err(failure) => left.push((sent, failure)),
        }
    }
    let put_away = app.put_away(caller, bought, None).await?;
    for (sent, added) in tried.into_iter().zip(put_away) {
        match added {
            Ok(added) => {
                count += 1;
                gone.insert(sent.id);
                if remember {
                    app.remember_lot(caller, &added.item).await?;
                }
            }
            // Another user was faster.
            Err(AppError::ShoppingItemNotFound) => {
                gone.insert(sent.id);
            }
            Err(error) => left.push((sent, error.into())),
        }
    }
    let mut frame = member.frame(Section::Shopping);
    let mut rows = rows(&web, &member, &frame, &gone).await?;
    if left.is_empty() {
        return Ok(if rows.is_empty() {
            done("/shopping", "shopping-put-away-all")
        } else {
            // There were more entries than fit on the page, or new ones meanwhile.
            done("/shopping/put-away", "shopping-put-away")
        });
    }
    frame.notice = Some(frame.t1("shopping-put-away-count", "count", count));
    let mut reasons = Vec::new();
    for (sent, failure) in &left {
        let name = app.shopping_item(caller, sent.id).await?.details.name;
        reasons.push((name.as_str().to_owned(), reason(&frame, failure)));
    }
    for (sent, _) in left {
        if let Some(row) = rows.iter_mut().find(|row| row.id == sent.id) {
            row.correct(sent);
        }
    }
    let page = PutAwayAllPage { frame, rows, left: reasons };
    Ok(with_camera(render_with(StatusCode::CONFLICT, &page)))
}

/// Why an entry stays on the list.
fn reason(frame: &Frame, failure: &Failure) -> String {
    match failure {
        Failure::App(AppError::AmountRequired) => {
            frame.t("shopping-left-without-amount").into_owned()
        }
        Failure::App(AppError::ShoppingVersionConflict(_)) => {
            frame.t("shopping-left-changed").into_owned()
        }
        other => {
            let view = other.view();
            match view.field {
                Some(field) => format!("{}: {}", frame.t(field), view.rule.said(frame.words)),
                None => frame.t(view.message).into_owned(),
            }
        }
    }
}

/// The purchased entries that are still on the list, by shop. Lists may lag, so those known to be gone
/// are omitted.
async fn rows(
    web: &Web,
    member: &Member,
    frame: &Frame,
    gone: &BTreeSet<ShoppingItemId>,
) -> Result<Vec<Row>, Failure> {
    let mut entries = read_entries(&web.app, &member.caller).await?;
    entries.retain(|entry| entry.status == ShoppingStatus::Purchased && !gone.contains(&entry.id));
    entries.truncate(MOST);
    let (app, caller) = (&web.app, &member.caller);
    let stores = app.stores(caller).await?;
    let position = |entry: &ShoppingItem| {
        let shop = entry.details.store;
        stores.iter().position(|store| Some(store.id) == shop).unwrap_or(stores.len())
    };
    entries.sort_by_key(position);
    let stock = app.stock_of_entries(caller, entries.iter()).await?;
    let places = Places::of(app, caller).await?;
    let today = caller.today(app.now());
    let row = |entry| Row::of(frame, entry, &stock, &places, today);
    let mut rows: Vec<_> = entries.iter().map(row).collect();
    let mut before = entries.first().map(position);
    let has_several = entries.last().map(position) != before;
    for (index, entry) in entries.iter().enumerate() {
        let at = Some(position(entry));
        if has_several && (index == 0 || at != before) {
            let shop = at.and_then(|at| stores.get(at)).map(|store| store.name.as_str().to_owned());
            rows[index].shop =
                Some(shop.unwrap_or_else(|| frame.t("shopping-unassigned").into_owned()));
        }
        before = at;
    }
    Ok(rows)
}
