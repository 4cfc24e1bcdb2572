//! `GET` and `POST /household/delete`: erases the household once its name is typed.

use askama::Template;
use axum::response::Response;
use larder_app::AppError;
use serde::Deserialize;

use crate::{Failure, Form, Frame, Member, Section, WebState, render, see_other};

#[derive(Template)]
#[template(path = "household/delete.html")]
struct DeletePage<'a> {
    frame: Frame,
    name: &'a str,
    others: usize,
}

/// Only for admins.
pub(super) async fn page(web: WebState, member: Member) -> Result<Response, Failure> {
    let caller = &member.caller;
    if !caller.is_admin() {
        return Err(AppError::AdminRequired.into());
    }
    let household = web.app.household(caller).await?;
    Ok(render(&DeletePage {
        frame: member.frame(Section::Household),
        name: household.name.as_str(),
        others: web.app.members(caller).await?.len().saturating_sub(1),
    }))
}

#[derive(Deserialize)]
pub(super) struct Confirmation {
    name: String,
    #[serde(default)]
    move_items: bool,
}

pub(super) async fn delete(
    web: WebState,
    member: Member,
    Form(form): Form<Confirmation>,
) -> Result<Response, Failure> {
    let erasure = web.app.erase_household(&member.caller, &form.name, form.move_items).await?;
    Ok(see_other(&format!("/me/deletions/{}", erasure.id)))
}
