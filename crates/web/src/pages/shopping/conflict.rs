//! Somebody else was faster: what one wanted and what there is now, to choose from.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_domain::{ShoppingItem, ShoppingStatus, Store};

use super::{entry::EntryView, fields::EntryFields, notepad::find_item};
use crate::{
    failure::Failure,
    frame::{Frame, Section, render_with},
    state::Web,
    visit::Member,
};

/// What somebody wanted of an entry that has changed meanwhile.
pub(super) enum Wanted<'a> {
    Status(ShoppingStatus),
    Fields(&'a EntryFields),
}

#[derive(Template)]
#[template(path = "shopping/conflict.html")]
struct ConflictPage {
    frame: Frame,
    /// Where the choice is sent to.
    action: String,
    mine: EntryView,
    theirs: EntryView,
    mine_store: String,
    theirs_store: String,
    /// Whether the choice is about what is said of the entry, rather than whether it was bought.
    is_edit: bool,
}

/// The page that shows both.
pub(super) async fn conflict(
    web: &Web,
    member: &Member,
    current: &ShoppingItem,
    wanted: &Wanted<'_>,
) -> Result<Response, Failure> {
    let item = match current.item {
        Some(id) => find_item(&web.app, &member.caller, id).await?,
        None => None,
    };
    let theirs = EntryView::of(current, item.as_ref().map(|item| &item.details.unit));
    let mine = mine(&theirs, wanted);
    let stores = web.app.stores(&member.caller).await?;
    let is_edit = matches!(wanted, Wanted::Fields(_));
    let verb = if is_edit { "" } else { "/check" };
    let page = ConflictPage {
        frame: member.frame(Section::Shopping),
        action: format!("/shopping/{}{verb}", theirs.id),
        mine_store: store_name(&stores, &mine.store),
        theirs_store: store_name(&stores, &theirs.store),
        mine,
        theirs,
        is_edit,
    };
    Ok(render_with(StatusCode::CONFLICT, &page))
}

/// What the entry would be if mine is kept.
fn mine(theirs: &EntryView, wanted: &Wanted<'_>) -> EntryView {
    match wanted {
        Wanted::Status(status) => {
            EntryView { is_bought: *status == ShoppingStatus::Purchased, ..theirs.clone() }
        }
        Wanted::Fields(fields) => EntryView {
            name: fields.name.clone(),
            quantity: fields.quantity.clone(),
            store: fields.store.clone(),
            notes: fields.notes.clone(),
            ..theirs.clone()
        },
    }
}

fn store_name(stores: &[Store], id: &str) -> String {
    let store = stores.iter().find(|store| store.id.to_string() == id);
    store.map(|store| store.name.as_str().to_owned()).unwrap_or_default()
}
