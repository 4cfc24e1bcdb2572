//! `GET` and `POST /shopping/{id}`: what is said about an entry; `POST /shopping/{id}/delete`.

use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::AppError;
use larder_domain::{ShoppingChange, Store};
use serde::Deserialize;

use super::{
    conflict::{Wanted, conflict},
    entry::EntryView,
    fields::{EntryFields, entry_id},
};
use crate::{
    failure::Failure,
    form::{Form, done, see_other},
    frame::{Frame, Section, render},
    state::WebState,
    visit::Member,
};

#[derive(Template)]
#[template(path = "shopping/edit.html")]
struct EditPage<'a> {
    frame: Frame,
    entry: EntryView,
    fields: EntryFields,
    stores: &'a [Store],
}

pub(super) async fn page(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let entry = web.app.shopping_item(&member.caller, entry_id(&id)?).await?;
    let stores = web.app.stores(&member.caller).await?;
    let entry = EntryView::of(&entry, None);
    let (frame, fields) = (member.frame(Section::Shopping), EntryFields::of(&entry));
    Ok(render(&EditPage { frame, entry, fields, stores: &stores }))
}

#[derive(Deserialize)]
pub(super) struct Edited {
    version: u64,
    #[serde(flatten)]
    fields: EntryFields,
}

pub(super) async fn save(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(edited): Form<Edited>,
) -> Result<Response, Failure> {
    let id = entry_id(&id)?;
    let wanted = edited.fields.read()?;
    let change = ShoppingChange::Edit(edited.fields.read_change()?);
    match web.app.change_shopping_item(&member.caller, id, edited.version, &change).await {
        Ok(_) => Ok(see_other("/shopping")),
        // Somebody else has written the same: then it is done.
        Err(AppError::ShoppingVersionConflict(current)) if current.details == wanted => {
            Ok(see_other("/shopping"))
        }
        Err(AppError::ShoppingVersionConflict(current)) => {
            conflict(&web, &member, &current, &Wanted::Fields(&edited.fields)).await
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn delete(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    web.app.delete_shopping_item(&member.caller, entry_id(&id)?).await?;
    Ok(done("/shopping", "shopping-deleted"))
}
