//! `POST /sensors/{id}/name`.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::FriendlyName;
use serde::Deserialize;

use super::{address_of, fleet, hardware_id};
use crate::{
    failure::{Failure, wrong},
    form::{Form, back_or, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct NewName {
    name: String,
    back: Option<String>,
}

/// Renames a device; an empty name removes its name.
pub(super) async fn rename(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(form): Form<NewName>,
) -> Result<Response, Failure> {
    let id = hardware_id(&id)?;
    let name = match form.name.trim() {
        "" => None,
        name => Some(FriendlyName::parse(name).map_err(wrong("field-name"))?),
    };
    web.app.rename_device(&fleet(&member.caller), id, name.as_ref()).await?;
    Ok(done(back_or(form.back.as_deref(), &address_of(id)), "sensors-renamed"))
}
