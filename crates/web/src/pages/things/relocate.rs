//! `POST /things/move`: into another thing, or to the top.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{read_optional_urn, read_urn};
use crate::{
    failure::Failure,
    form::{Form, back_or, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Relocation {
    thing: String,
    /// Empty: to the top.
    parent: Option<String>,
    back: Option<String>,
}

pub(super) async fn relocate(
    State(web): State<WebState>,
    member: Member,
    Form(form): Form<Relocation>,
) -> Result<Response, Failure> {
    let thing = read_urn(&form.thing)?;
    match read_optional_urn(form.parent.as_deref())? {
        Some(parent) => web.app.attach_resource(&member.caller, thing, parent).await?,
        None => web.app.detach_resource(&member.caller, &thing).await?,
    };
    Ok(done(back_or(form.back.as_deref(), "/things"), "thing-moved"))
}
