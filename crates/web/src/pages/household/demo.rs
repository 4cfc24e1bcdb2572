//! `POST /demo` and `POST /demo/remove`: demo data.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use crate::{
    failure::Failure,
    form::{Form, back_or, done},
    state::WebState,
    visit::Member,
};

pub(super) async fn add(State(web): State<WebState>, member: Member) -> Result<Response, Failure> {
    web.app.add_demo(&member.caller, member.visit.words.language).await?;
    Ok(done("/stock", "demo-added"))
}

#[derive(Deserialize)]
pub(super) struct Removal {
    back: Option<String>,
}

pub(super) async fn remove(
    State(web): State<WebState>,
    member: Member,
    Form(form): Form<Removal>,
) -> Result<Response, Failure> {
    web.app.remove_demo(&member.caller).await?;
    Ok(done(back_or(form.back.as_deref(), "/household"), "demo-removed"))
}
