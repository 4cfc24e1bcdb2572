//! `GET` and `POST /shopping/{id}`: edit an entry; `POST /shopping/{id}/delete`.

use askama::Template;
use axum::response::Response;
use larder_app::AppError;
use larder_domain::{Edit, ShoppingChange, ShoppingItemId, ShoppingPatch, Store};
use serde::Deserialize;

use super::{
    conflict::conflict, entry::EntryView, fields::EntryFields, shopping_list_view::view_of,
};
use crate::{
    Failure, Form, Frame, Member, PathId, Section, WebState, done,
    form::{EDIT_ATTEMPTS, base_of, read_base},
    render, see_other,
};

#[derive(Template)]
#[template(path = "shopping/edit.html")]
struct EditPage<'a> {
    frame: Frame,
    entry: EntryView,
    fields: EntryFields,
    /// The initial values of the form.
    base: String,
    stores: &'a [Store],
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
) -> Result<Response, Failure> {
    let entry = web.app.shopping_item(&member.caller, id).await?;
    let stores = web.app.stores(&member.caller).await?;
    let entry = view_of(&web.app, &member.caller, &entry).await?;
    let (frame, fields) = (member.frame(Section::Shopping), EntryFields::of(&entry));
    let base = base_of(&fields);
    Ok(render(&EditPage { frame, entry, fields, base, stores: &stores }))
}

#[derive(Deserialize)]
pub(super) struct Edited {
    /// The version of the form's initial values.
    version: u64,
    /// The initial values of the form.
    #[serde(default)]
    base: String,
    #[serde(flatten)]
    fields: EntryFields,
}

pub(super) async fn save(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
    Form(edited): Form<Edited>,
) -> Result<Response, Failure> {
    let caller = &member.caller;
    let mine = edited.fields.read()?;
    let base: Option<EntryFields> = read_base(&edited.base)?;
    let base = base.map(|base| base.read()).transpose()?;
    let mut current = web.app.shopping_item(caller, id).await?;
    for _ in 0..EDIT_ATTEMPTS {
        let Edit { changes, contested } =
            ShoppingPatch::of_edit(base.as_ref(), &mine, &current.details);
        if contested != ShoppingPatch::default() && current.version != edited.version {
            return conflict(&web, &member, &current, changes).await;
        }
        if changes == ShoppingPatch::default() {
            // Nothing was changed, or a concurrent edit was the same.
            return Ok(see_other("/shopping"));
        }
        let change = ShoppingChange::Edit(changes);
        match web.app.change_shopping_item(caller, id, current.version, &change).await {
            Ok(_) => return Ok(see_other("/shopping")),
            Err(AppError::ShoppingVersionConflict(now)) => current = *now,
            Err(error) => return Err(error.into()),
        }
    }
    Err(AppError::ShoppingVersionConflict(Box::new(current)).into())
}

pub(super) async fn delete(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
) -> Result<Response, Failure> {
    web.app.delete_shopping_item(&member.caller, id).await?;
    Ok(done("/shopping", "shopping-deleted"))
}
