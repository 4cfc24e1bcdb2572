//! `GET` and `POST /shopping/put-away`: all purchased entries with amount and date on one form.
//! Each is put away by itself; those that stay on the list are shown with the reason.

use std::collections::BTreeSet;

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_app::{AppError, BoughtEntry, EntryStock, Purchase};
use larder_domain::{ShoppingItem, ShoppingItemId, ShoppingStatus};
use serde::Deserialize;

use super::{
    put_away_form::{asked_amount, bought_amount, day, read_unit, usual_unit},
    shopping_list_view::read_entries,
};
use crate::{Failure, Form, Frame, Member, Section, Web, WebState, done, render, render_with};

/// The number of entries that are put away at once; the rest comes next.
const MOST: usize = 100;

#[derive(Template)]
#[template(path = "shopping/put-away-all.html")]
struct PutAwayAllPage {
    frame: Frame,
    rows: Vec<Row>,
    /// Entries that could not be put away: name and reason.
    left: Vec<(String, String)>,
}

/// An entry on the form.
struct Row {
    id: ShoppingItemId,
    version: u64,
    name: String,
    is_linked: bool,
    quantity: String,
    unit: String,
    expiration: String,
}

impl Row {
    fn of(frame: &Frame, entry: &ShoppingItem, stock: &EntryStock) -> Self {
        let known = stock.find(entry);
        Self {
            id: entry.id,
            version: entry.version,
            name: entry.details.name.as_str().to_owned(),
            is_linked: entry.item.is_some(),
            quantity: asked_amount(entry, known),
            unit: usual_unit(frame, known),
            expiration: String::new(),
        }
    }
}

/// The fields of the form: one value of each per entry.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Rows {
    entry: Vec<String>,
    version: Vec<u64>,
    quantity: Vec<String>,
    unit: Vec<String>,
    expiration: Vec<String>,
}

/// The fields of one entry.
struct Sent {
    id: ShoppingItemId,
    version: u64,
    quantity: String,
    unit: String,
    expiration: String,
}

impl Rows {
    fn read(self) -> Result<Vec<Sent>, Failure> {
        let Self { entry, version, quantity, unit, expiration } = self;
        let count = entry.len();
        let counts = [version.len(), quantity.len(), unit.len(), expiration.len()];
        if count > MOST || counts != [count; 4] {
            return Err(Failure::Malformed);
        }
        let fields = quantity.into_iter().zip(unit).zip(expiration);
        let rows = entry.iter().zip(version).zip(fields);
        rows.map(|((id, version), ((quantity, unit), expiration))| {
            let id = id.parse().map_err(|_| Failure::Malformed)?;
            Ok(Sent { id, version, quantity, unit, expiration })
        })
        .collect()
    }
}

pub(super) async fn page(web: WebState, member: Member) -> Result<Response, Failure> {
    let frame = member.frame(Section::Shopping);
    let rows = rows(&web, &member, &frame, &BTreeSet::new()).await?;
    Ok(render(&PutAwayAllPage { frame, rows, left: Vec::new() }))
}

pub(super) async fn put_away(
    web: WebState,
    member: Member,
    Form(form): Form<Rows>,
) -> Result<Response, Failure> {
    let (app, caller) = (&web.app, &member.caller);
    let (mut gone, mut left, mut count) = (BTreeSet::new(), Vec::new(), 0_u32);
    let (mut tried, mut bought) = (Vec::new(), Vec::new());
    for sent in form.read()? {
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
            Ok(_) => {
                count += 1;
                gone.insert(sent.id);
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
            let Sent { quantity, unit, expiration, .. } = sent;
            (row.quantity, row.expiration) = (quantity, expiration);
            if !row.is_linked {
                row.unit = unit;
            }
        }
    }
    let page = PutAwayAllPage { frame, rows, left: reasons };
    Ok(render_with(StatusCode::CONFLICT, &page))
}

impl Sent {
    /// The purchase. For a linked entry the form has no unit.
    fn bought(&self) -> Result<BoughtEntry, Failure> {
        let quantity = bought_amount(&self.quantity)?.ok_or(AppError::AmountRequired)?;
        let unit = if self.unit.is_empty() { None } else { Some(read_unit(&self.unit)?) };
        let expiration = day(&self.expiration)?;
        let purchase =
            Purchase { quantity: Some(quantity), unit, expiration, ..Purchase::default() };
        Ok(BoughtEntry { id: self.id, version: self.version, purchase })
    }
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

/// The purchased entries that are still on the list. Lists may lag, so those known to be gone are
/// omitted.
async fn rows(
    web: &Web,
    member: &Member,
    frame: &Frame,
    gone: &BTreeSet<ShoppingItemId>,
) -> Result<Vec<Row>, Failure> {
    let mut entries = read_entries(&web.app, &member.caller).await?;
    entries.retain(|entry| entry.status == ShoppingStatus::Purchased && !gone.contains(&entry.id));
    entries.truncate(MOST);
    let stock = web.app.stock_of_entries(&member.caller, entries.iter()).await?;
    Ok(entries.iter().map(|entry| Row::of(frame, entry, &stock)).collect())
}
