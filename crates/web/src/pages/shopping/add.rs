//! `POST /shopping/add`: add an entry, unless it is on the list already.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_app::AppError;
use larder_domain::{ItemId, SearchTerm, ShoppingItem, ShoppingStatus};
use serde::Deserialize;

use super::{
    entry::EntryView,
    fields::{EntryFields, optional},
    shopping_list_view::{read_entries, view_of},
};
use crate::{Failure, Form, Frame, Member, Section, Web, WebState, render_with, see_other};

#[derive(Deserialize)]
pub(super) struct NewEntry {
    #[serde(flatten)]
    fields: EntryFields,
    /// The item to restock, if the page knows it.
    #[serde(default)]
    item: String,
    /// Whether to add it although it is on the list already.
    #[serde(default)]
    force: String,
}

#[derive(Template)]
#[template(path = "shopping/duplicate.html")]
struct DuplicatePage<'a> {
    frame: Frame,
    existing: EntryView,
    wanted: &'a NewEntry,
}

pub(super) async fn add(
    web: WebState,
    member: Member,
    Form(wanted): Form<NewEntry>,
) -> Result<Response, Failure> {
    let new = wanted.fields.read_new(item_of(&web, &member, &wanted).await?)?;
    let force = !wanted.force.is_empty();
    let twin = if force { None } else { find_twin(&web, &member, new.name.as_str()).await? };
    let existing = match twin {
        Some(existing) => existing,
        None => match web.app.add_shopping_item(&member.caller, new, force, None).await {
            Ok(_) => return Ok(see_other("/shopping")),
            Err(AppError::DuplicateShoppingItem(existing)) => *existing,
            Err(error) => return Err(error.into()),
        },
    };
    let page = DuplicatePage {
        frame: member.frame(Section::Shopping),
        existing: view_of(&web.app, &member.caller, &existing).await?,
        wanted: &wanted,
    };
    Ok(render_with(StatusCode::CONFLICT, &page))
}

/// The item that the new entry restocks: the one that the page knows, or the one of this name.
async fn item_of(web: &Web, member: &Member, wanted: &NewEntry) -> Result<Option<ItemId>, Failure> {
    let named = optional(&wanted.item, |text| text.parse().map_err(|_| Failure::Malformed))?;
    if named.is_some() {
        return Ok(named);
    }
    let found = web.app.find_item_by_name(&member.caller, &wanted.fields.name).await?;
    Ok(found.map(|item| item.id))
}

/// The pending entry with the same name. The store detects duplicates of items; free text can be a
/// duplicate, too.
async fn find_twin(
    web: &Web,
    member: &Member,
    name: &str,
) -> Result<Option<ShoppingItem>, Failure> {
    let Some(term) = SearchTerm::parse(name) else { return Ok(None) };
    let is_twin = |entry: &ShoppingItem| {
        entry.status == ShoppingStatus::Pending
            && SearchTerm::parse(entry.details.name.as_str()).as_ref() == Some(&term)
    };
    let entries = read_entries(&web.app, &member.caller).await?;
    Ok(entries.into_iter().find(is_twin))
}
