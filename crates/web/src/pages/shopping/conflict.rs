//! An edit conflict: my version and the current one, to choose from.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_domain::{ShoppingChange, ShoppingItem, ShoppingPatch, Store};

use super::{entry::EntryView, fields::EntryFields, shopping_list_view::find_item};
use crate::{Failure, Frame, Member, Section, Web, form::base_of, render_with};

#[derive(Template)]
#[template(path = "shopping/conflict.html")]
struct ConflictPage {
    frame: Frame,
    /// The result of keeping my version.
    mine: EntryView,
    theirs: EntryView,
    /// The values that the choice is based on.
    base: String,
    mine_store: String,
    theirs_store: String,
}

/// The page that shows both: the current version, and the result of my changes on top of it.
pub(super) async fn conflict(
    web: &Web,
    member: &Member,
    current: &ShoppingItem,
    changes: ShoppingPatch,
) -> Result<Response, Failure> {
    let item = match current.item {
        Some(id) => find_item(&web.app, &member.caller, id).await?,
        None => None,
    };
    let unit = item.as_ref().map(|item| &item.details.unit);
    let wanted = current.changed(&ShoppingChange::Edit(changes), current.updated_at);
    let (mine, theirs) = (EntryView::of(&wanted, unit), EntryView::of(current, unit));
    let stores = web.app.stores(&member.caller).await?;
    let page = ConflictPage {
        frame: member.frame(Section::Shopping),
        base: base_of(&EntryFields::of(&theirs)),
        mine_store: store_name(&stores, &mine.store),
        theirs_store: store_name(&stores, &theirs.store),
        mine,
        theirs,
    };
    Ok(render_with(StatusCode::CONFLICT, &page))
}

fn store_name(stores: &[Store], id: &str) -> String {
    let store = stores.iter().find(|store| store.id.to_string() == id);
    store.map(|store| store.name.as_str().to_owned()).unwrap_or_default()
}
