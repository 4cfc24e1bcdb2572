//! `POST /demo` and `POST /demo/remove`: demo data.

use axum::response::Response;
use serde::Deserialize;

use crate::{Failure, Form, Member, WebState, back_or, done};

pub(super) async fn add(web: WebState, member: Member) -> Result<Response, Failure> {
    web.app.add_demo(&member.caller, member.visit.words.language).await?;
    Ok(done("/stock", "demo-added"))
}

#[derive(Deserialize)]
pub(super) struct Removal {
    back: Option<String>,
}

pub(super) async fn remove(
    web: WebState,
    member: Member,
    Form(form): Form<Removal>,
) -> Result<Response, Failure> {
    web.app.remove_demo(&member.caller).await?;
    Ok(done(back_or(form.back.as_deref(), "/household"), "demo-removed"))
}
