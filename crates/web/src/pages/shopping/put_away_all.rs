//! `GET` and `POST /shopping/put-away`: everything that was bought, each with its amount and date, on one form. Each
//! entry is put away by itself, and what stays on the list is told with the reason.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use larder_app::{App, AppError, Caller, Purchase};
use larder_domain::{
    ItemDetails, ItemFilter, ItemId, ItemName, ItemSort, OTHER_CATEGORY, ShoppingItem,
    ShoppingItemId, ShoppingStatus, text,
};
use serde::Deserialize;

use super::{
    notepad::read_entries,
    put_away_form::{asked_amount, bought_amount, day, read_unit, usual_unit},
};
use crate::{
    failure::{Failure, wrong},
    form::{Form, done},
    frame::{Frame, Section, render, render_with},
    state::{Web, WebState},
    visit::Member,
};

/// So many entries are put away at once; the rest comes next.
const MOST: usize = 100;
/// So much of the stock is read at once.
const CHUNK: usize = 1000;

#[derive(Template)]
#[template(path = "shopping/put-away-all.html")]
struct PutAwayAllPage {
    frame: Frame,
    rows: Vec<Row>,
    /// What was to be put away and stays: name and reason.
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
    fn of(frame: &Frame, entry: &ShoppingItem, stock: &Stock) -> Self {
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

/// What the form sends: one value of each for every entry.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Rows {
    entry: Vec<String>,
    version: Vec<u64>,
    quantity: Vec<String>,
    unit: Vec<String>,
    expiration: Vec<String>,
}

/// What the form says about one entry.
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

pub(super) async fn page(State(web): State<WebState>, member: Member) -> Result<Response, Failure> {
    let frame = member.frame(Section::Shopping);
    let rows = rows(&web, &member, &frame, &BTreeSet::new()).await?;
    Ok(render(&PutAwayAllPage { frame, rows, left: Vec::new() }))
}

pub(super) async fn put_away(
    State(web): State<WebState>,
    member: Member,
    Form(form): Form<Rows>,
) -> Result<Response, Failure> {
    let (app, caller) = (&web.app, &member.caller);
    let mut entries = Vec::new();
    for sent in form.read()? {
        match app.shopping_item(caller, sent.id).await {
            Ok(entry) => entries.push((sent, entry)),
            Err(AppError::ShoppingItemNotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let stock = Stock::read(app, caller, entries.iter().map(|(_, entry)| entry)).await?;
    let (mut gone, mut left, mut count) = (BTreeSet::new(), Vec::new(), 0_u32);
    for (sent, entry) in entries {
        match put_one_away(app, caller, &sent, &entry, &stock).await {
            Ok(()) => {
                count += 1;
                gone.insert(sent.id);
            }
            // Somebody else was quicker.
            Err(Failure::App(AppError::ShoppingItemNotFound)) => {
                gone.insert(sent.id);
            }
            Err(failure @ Failure::App(AppError::Storage(_) | AppError::Defect(_))) => {
                return Err(failure);
            }
            Err(failure) => left.push((sent, entry, failure)),
        }
    }
    let mut frame = member.frame(Section::Shopping);
    let mut rows = rows(&web, &member, &frame, &gone).await?;
    if left.is_empty() {
        return Ok(if rows.is_empty() {
            done("/shopping", "shopping-put-away-all")
        } else {
            // More than fits on the page was bought, or something meanwhile.
            done("/shopping/put-away", "shopping-put-away")
        });
    }
    frame.notice = Some(frame.t1("shopping-put-away-count", "count", count));
    let reasons = left.iter().map(|(_, entry, failure)| {
        (entry.details.name.as_str().to_owned(), reason(&frame, failure))
    });
    let reasons = reasons.collect();
    for (sent, _, _) in left {
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

async fn put_one_away(
    app: &App,
    caller: &Caller,
    sent: &Sent,
    entry: &ShoppingItem,
    stock: &Stock,
) -> Result<(), Failure> {
    let quantity = bought_amount(&sent.quantity)?.ok_or(AppError::AmountRequired)?;
    let expiration = day(&sent.expiration)?;
    let purchase = if entry.item.is_some() {
        Purchase::Restock { quantity: Some(quantity), expiration }
    } else {
        let known = stock.find(entry);
        let name = ItemName::parse(entry.details.name.as_str()).map_err(wrong("field-name"))?;
        Purchase::Item(ItemDetails {
            expiration,
            category: known.map_or(OTHER_CATEGORY, |known| known.category),
            location: known.and_then(|known| known.location),
            ..ItemDetails::new(name, quantity, read_unit(&sent.unit)?)
        })
    };
    app.put_away(caller, sent.id, sent.version, purchase).await?;
    Ok(())
}

/// Why something stays on the list.
fn reason(frame: &Frame, failure: &Failure) -> String {
    match failure {
        Failure::App(AppError::AmountRequired) => {
            frame.t("shopping-left-without-amount").into_owned()
        }
        Failure::App(AppError::ShoppingVersionConflict(_)) => {
            frame.t("shopping-left-changed").into_owned()
        }
        Failure::Wrong(field, rule) => format!("{}: {}", frame.t(field), rule.said(frame.words)),
        other => frame.t(other.view().message).into_owned(),
    }
}

/// What was bought and is still on the list. Lists may lag: what is known to be gone is left out.
async fn rows(
    web: &Web,
    member: &Member,
    frame: &Frame,
    gone: &BTreeSet<ShoppingItemId>,
) -> Result<Vec<Row>, Failure> {
    let mut entries = read_entries(&web.app, &member.caller).await?;
    entries.retain(|entry| entry.status == ShoppingStatus::Purchased && !gone.contains(&entry.id));
    entries.truncate(MOST);
    let stock = Stock::read(&web.app, &member.caller, entries.iter()).await?;
    Ok(entries.iter().map(|entry| Row::of(frame, entry, &stock)).collect())
}

/// What is in stock of what is on the list.
#[derive(Default)]
struct Stock {
    linked: BTreeMap<ItemId, ItemDetails>,
    /// By the folded name.
    named: BTreeMap<String, ItemDetails>,
}

impl Stock {
    /// Goes through the stock once, until everything is found: entries may be many.
    async fn read<'a>(
        app: &App,
        caller: &Caller,
        entries: impl Iterator<Item = &'a ShoppingItem>,
    ) -> Result<Self, AppError> {
        let (mut ids, mut names) = (BTreeSet::new(), BTreeSet::new());
        for entry in entries {
            match entry.item {
                Some(item) => ids.insert(item),
                None => names.insert(text::fold(entry.details.name.as_str())),
            };
        }
        let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let (mut stock, mut after) = (Self::default(), None);
        while !ids.is_empty() || !names.is_empty() {
            let read = app.list_items(caller, &filter, ItemSort::Created, after.as_ref(), CHUNK);
            let page = read.await?;
            for item in page.items {
                let name = item.details.merge_key().name;
                if names.remove(&name) {
                    stock.named.insert(name, item.details.clone());
                }
                if ids.remove(&item.id) {
                    stock.linked.insert(item.id, item.details);
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(stock)
    }

    /// The item that the entry restocks, or one of the same name.
    fn find(&self, entry: &ShoppingItem) -> Option<&ItemDetails> {
        match entry.item {
            Some(item) => self.linked.get(&item),
            None => self.named.get(&text::fold(entry.details.name.as_str())),
        }
    }
}
